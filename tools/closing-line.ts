import type { Reporter, TestModule } from 'vitest/node'

/**
 * Prints the one plain line that any runner of the tests can read: what passed, failed and skipped.
 * A file or a describe block that breaks outside its tests counts as one failure, and so does a
 * test that never came to its end.
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
    process.stdout.write(
      `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`,
    )
  }
}
