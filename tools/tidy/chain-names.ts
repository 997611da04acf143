import type { ESTree } from 'vite'
import { readModules } from './modules.ts'
import { isTest, roomOf, type Rule, type Tree } from './tree.ts'

const FAMILIES = ['evm', 'bitcoin', 'tron', 'xrpl', 'ripple', 'ethereum', 'polygon', 'bsc', 'anvil']
const NAMESPACES = ['eip155', 'bip122', 'erc20', 'trc20', 'slip44', 'eip55', 'trx', 'xrp', 'btc']
const NAMES = new Set([...FAMILIES, ...NAMESPACES])
const CATALOGUE = 'catalogue'
const PORT = 'service/src/chains/chain-adapter.ts'
const CHAINS_FILE = /^service\/src\/chains\/[a-z-]+\.ts$/
/** Documentation gives examples, of settings and of the interface, and examples name chains. */
const EXAMPLES = 'app/config[a-z-]*|api/docs/[a-z-]+'
/** An operator's command is called after the family that asks for it. */
const COMMANDS = 'cli/(?:program|xrpl)'
const EXEMPT = new RegExp(`^service/src/(?:${EXAMPLES}|${COMMANDS})\\.ts$`)

/** Above `chains/` and `catalogue/` no code names a chain or a family: it knows chains by id. */
export const chainsAreNameless: Rule = (tree) => {
  const above = modulesFrom(tree, CATALOGUE, { isIncluded: false })
  return tree.sources
    .filter(({ path }) => above.has(roomOf(path) ?? '') && !isTest(path) && !EXEMPT.test(path))
    .flatMap((source) =>
      source.visits.flatMap(({ node }) => {
        const name = wordsOf(node).find((word) => NAMES.has(word))
        if (name === undefined) return []
        const says = `names ${name}; add a field to catalogue/chains.ts or switch on paymentModel`
        return [{ path: source.path, line: source.lineOf(node.start), says }]
      }),
    )
}

/**
 * Families differ by `paymentModel` and by named fields of a chain's literal. Code from
 * `catalogue` up compares no namespace or family, the files directly in `chains/` compare no
 * namespace (it would be a predicate of a family), and the port has no optional member.
 */
export const familiesDifferByFields: Rule = (tree) => {
  const modules = modulesFrom(tree, CATALOGUE, { isIncluded: true })
  return tree.sources
    .filter(({ path }) => !isTest(path))
    .flatMap((source) => {
      const { path } = source
      const compared = CHAINS_FILE.test(path)
        ? ['namespace']
        : modules.has(roomOf(path) ?? '')
          ? ['namespace', 'family']
          : []
      return source.visits.flatMap(({ node }) => {
        const name = comparedIn(node).find((one) => compared.includes(one))
        const says =
          name === undefined
            ? path === PORT && isOptionalMember(node)
              ? 'is optional; put it in the interface of the payment model that has it'
              : null
            : `compares ${name}; use paymentModel or a field of catalogue/chains.ts`
        return says === null ? [] : [{ path, line: source.lineOf(node.start), says }]
      })
    })
}

function modulesFrom(
  tree: Tree,
  first: string,
  { isIncluded }: { isIncluded: boolean },
): ReadonlySet<string> {
  const modules = readModules(tree.files.get('ARCHITECTURE.md')?.text ?? '').map(({ name }) => name)
  return new Set(modules.slice(modules.indexOf(first) + (isIncluded ? 0 : 1)))
}

/** Names of the operands that a node compares with a text, or switches on. */
function comparedIn(node: ESTree.Node): string[] {
  if (node.type === 'SwitchStatement') return [nameOf(node.discriminant)]
  if (node.type !== 'BinaryExpression' || !/^[!=]==$/.test(node.operator)) return []
  const { left, right } = node
  return left.type === 'Literal' || right.type === 'Literal' ? [nameOf(left), nameOf(right)] : []
}

function nameOf(node: ESTree.Node): string {
  if (node.type === 'ChainExpression') return nameOf(node.expression)
  if (node.type === 'MemberExpression') return nameOf(node.property)
  return node.type === 'Identifier' ? node.name : ''
}

function isOptionalMember(node: ESTree.Node): boolean {
  return (node.type === 'TSMethodSignature' || node.type === 'TSPropertySignature') && node.optional
}

function wordsOf(node: ESTree.Node): string[] {
  if (node.type === 'Identifier') return words(node.name)
  if (node.type === 'TemplateElement') return words(node.value.raw)
  return node.type === 'Literal' && typeof node.value === 'string' ? words(node.value) : []
}

/** `toEvmAddress`, `EVM_DEPTH` and `eip155:1` in lower-case words. */
function words(text: string): string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}
