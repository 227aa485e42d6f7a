import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mutation } from './mutation.ts'

export type TreeCopy = {
  path: string
  /** Puts a fault into the copy. The returned function takes it out again. */
  put: (mutation: Mutation) => () => void
  remove: () => void
}

/** Copies the working tree, with the changes that are not committed and the built admin, and links its packages. */
export function copyTree(root: string): TreeCopy {
  const path = mkdtempSync(join(tmpdir(), 'quartermaster-mutations-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const files = listed.split('\0').filter((file) => file && existsSync(join(root, file)))
  for (const file of [...new Set(files), 'web/dist']) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(path, file), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'))
  return {
    path,
    put({ file, from, to }) {
      const whole = join(path, file)
      const before = readFileSync(whole, 'utf8')
      writeFileSync(
        whole,
        before.replace(from, () => to),
      )
      return () => writeFileSync(whole, before)
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
