import { spawnSync } from 'node:child_process'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const Severities = Type.Object({ high: Type.Integer(), critical: Type.Integer() })
const Report = Type.Object({
  metadata: Type.Object({ vulnerabilities: Severities }),
  vulnerabilities: Type.Record(Type.String(), Type.Object({ severity: Type.String() })),
})

// Asks the registry for known vulnerabilities of the production packages. Offline machines and registries without
// audits pass, unless `--required` is given.
const isRequired = process.argv.includes('--required')
const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--package-lock-only', '--json'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
const report = readReport(stdout)
if (report) {
  const { high, critical } = report.metadata.vulnerabilities
  console.log(`Production packages: ${high} high and ${critical} critical vulnerabilities.`)
  for (const [name, { severity }] of Object.entries(report.vulnerabilities))
    console.log(`  ${severity}: ${name}`)
  process.exitCode = high + critical > 0 ? 1 : 0
} else {
  const [reason = 'no response'] = /warn audit (.*)/.exec(stderr)?.slice(1) ?? []
  console.error(`NOT AUDITED: the registry returned no readable response (${reason}).`)
  process.exitCode = isRequired ? 1 : 0
}

function readReport(text: string) {
  try {
    return Value.Decode(Report, JSON.parse(text))
  } catch {
    return undefined
  }
}
