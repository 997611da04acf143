import { print, type Rule, treeFrom } from './tree.ts'

/** The violations of a rule in a few texts, for tests of the rules. */
export function judge(rule: Rule, texts: Readonly<Record<string, string>>): string[] {
  return rule(treeFrom(texts)).map(print)
}
