import { print, type Rule, treeFrom } from './tree.ts'

/** What a rule says of a few texts; the tests of the rules ask here. */
export function judge(rule: Rule, texts: Readonly<Record<string, string>>): string[] {
  return rule(treeFrom(texts)).map(print)
}
