import type { ESTree } from 'vite'
import { readRooms } from './rooms.ts'
import { isTest, roomOf, type Rule } from './tree.ts'

const FAMILIES = ['evm', 'bitcoin', 'tron', 'xrpl', 'ripple', 'ethereum', 'polygon', 'bsc', 'anvil']
const NAMESPACES = ['eip155', 'bip122', 'erc20', 'trc20', 'slip44', 'eip55', 'trx', 'xrp', 'btc']
const NAMES = new Set([...FAMILIES, ...NAMESPACES])
const CATALOGUE = 'catalogue'
/** Documentation gives examples, of settings and of the interface, and examples name chains. */
const EXAMPLES = 'app/config[a-z-]*|api/docs/[a-z-]+'
/** An operator's command is called after the family that asks for it. */
const COMMANDS = 'cli/(?:program|xrpl)'
const EXEMPT = new RegExp(`^service/src/(?:${EXAMPLES}|${COMMANDS})\\.ts$`)

/**
 * Above `chains/` and `catalogue/` the service knows chains by their ids only, never by kind or
 * name.
 */
export const chainsAreNameless: Rule = (tree) => {
  const rooms = readRooms(tree.files.get('ARCHITECTURE.md')?.text ?? '').map(({ name }) => name)
  const above = new Set(rooms.slice(rooms.indexOf(CATALOGUE) + 1))
  return tree.sources
    .filter(({ path }) => above.has(roomOf(path) ?? '') && !isTest(path) && !EXEMPT.test(path))
    .flatMap((source) =>
      source.visits.flatMap(({ node }) => {
        const name = wordsOf(node).find((word) => NAMES.has(word))
        if (name === undefined) return []
        const says = `names ${name}; ask the adapter or put a property in catalogue/chains.ts`
        return [{ path: source.path, line: source.lineOf(node.start), says }]
      }),
    )
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
