import type { Reporter, TestModule } from 'vitest/node'

interface Spent {
  files: number
  tests: number
  /** Loading of modules, and tests with their hooks. */
  loadMs: number
  testMs: number
}

/**
 * Prints the time of each project and the slowest files, and last one plain line for any runner:
 * tests passed, failed and skipped. A file or a describe block that fails outside its tests counts
 * as one failure, and so does a test that never ended.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      const suites = [module, ...module.children.allSuites()]
      count.failed += suites.filter((suite) => suite.errors().length > 0).length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        count[state === 'passed' || state === 'skipped' ? state : 'failed'] += 1
      }
    }
    process.stdout.write(`${timesOf(modules)}\n`)
    process.stdout.write(
      `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`,
    )
  }
}

const SLOWEST = 10

/** Minutes of worker time: two workers share them. */
function timesOf(modules: readonly TestModule[]): string {
  const projects = new Map<string, Spent>()
  for (const module of modules) {
    const { name } = module.project
    const spent = projects.get(name) ?? { files: 0, tests: 0, loadMs: 0, testMs: 0 }
    const { collectDuration, duration, setupDuration } = module.diagnostic()
    projects.set(name, {
      files: spent.files + 1,
      tests: spent.tests + [...module.children.allTests()].length,
      loadMs: spent.loadMs + collectDuration + setupDuration,
      testMs: spent.testMs + duration,
    })
  }
  const rows = [...projects]
    .toSorted(([, a], [, b]) => b.testMs + b.loadMs - a.testMs - a.loadMs)
    .map(([name, { files, tests, loadMs, testMs }]) =>
      row(name, minutes(loadMs + testMs), minutes(loadMs), `${files}`, `${tests}`),
    )
  const slowest = modules
    .toSorted((a, b) => b.diagnostic().duration - a.diagnostic().duration)
    .slice(0, SLOWEST)
    .map((module) => row(minutes(module.diagnostic().duration), module.relativeModuleId))
  const head = row('project', 'minutes', 'of loading', 'files', 'tests')
  return ['', head, ...rows, '', row('minutes', 'slowest files'), ...slowest, ''].join('\n')
}

function minutes(ms: number): string {
  return (ms / 60_000).toFixed(1)
}

function row(...cells: string[]): string {
  return cells
    .map((cell) => cell.padEnd(13))
    .join('')
    .trimEnd()
}
