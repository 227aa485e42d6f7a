import { getDocumentProxy } from 'unpdf'

/** A node of the structure tree, as a screen reader finds it: its role, its text or its description, its children. */
export type Role = { role: string; text: string; alt?: string; children: Role[] }
export type Structure = {
  marked: boolean
  title: string
  language: string
  isTitleShown: boolean
  roots: Role[]
  /** Text that is neither in the tree nor marked as decoration. */
  untagged: string[]
}

type TreeNode = { role?: string; alt?: string; type?: string; id?: string; children?: TreeNode[] }

/** Reads back what makes a PDF accessible. pdf.js answers the tree page by page. */
export async function readStructure(file: Uint8Array): Promise<Structure> {
  const document = await getDocumentProxy(new Uint8Array(file), { verbosity: 0 })
  const { info } = (await document.getMetadata()) as { info: { Title?: string; Language?: string } }
  const roots: Role[] = []
  const untagged: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent({ includeMarkedContent: true })
    const texts = new Map<string, string>()
    const open: string[] = []
    for (const item of items) {
      if ('str' in item) {
        const id = open.at(-1)
        if (id === undefined && item.str.trim() !== '') untagged.push(item.str)
        else if (id) texts.set(id, `${texts.get(id) ?? ''}${item.str}${item.hasEOL ? ' ' : ''}`)
      } else if (item.type === 'endMarkedContent') open.pop()
      else open.push(item.id ?? '')
    }
    const tree = (await page.getStructTree()) as unknown as TreeNode | null
    roots.push(...(tree?.children ?? []).map((node) => roleOf(node, texts)))
  }
  const viewer = (await document.getViewerPreferences()) as { DisplayDocTitle?: boolean } | null
  const marks = await document.getMarkInfo()
  await document.loadingTask.destroy()
  return {
    marked: marks?.Marked === true,
    title: info.Title ?? '',
    language: info.Language ?? '',
    isTitleShown: viewer?.DisplayDocTitle === true,
    roots,
    untagged,
  }
}

function roleOf({ role = '', alt, children = [] }: TreeNode, texts: ReadonlyMap<string, string>): Role {
  const own = children.filter(({ type }) => type === 'content').map(({ id = '' }) => texts.get(id) ?? '')
  return {
    role,
    text: own.join(' ').normalize('NFKC').replace(/\s+/g, ' ').trim(),
    ...(alt && { alt }),
    children: children.filter(({ type }) => type === undefined).map((child) => roleOf(child, texts)),
  }
}

/** All nodes of a role, in reading order. */
export const findRoles = (roles: readonly Role[], wanted: string): Role[] =>
  roles.flatMap((each) => [...(each.role === wanted ? [each] : []), ...findRoles(each.children, wanted)])
