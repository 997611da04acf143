import { edgesOf, isProduct, isTest, roomOf, type Rule } from './tree.ts'

/** Libraries that hold seeds and private keys in their hands. */
const SECRET_LIBRARIES = /^@scure\/bip(32|39)(\/|$)/
/** The rooms that derive addresses or sign. `api` issues addresses from stored xpubs alone. */
const KEYRING_ROOMS = new Set(['keys', 'accounts', 'transactions', 'gas', 'app', 'cli'])
/**
 * The service key seals what other rooms store, and `draw` makes salts and codes; they open no
 * wallet.
 */
const SEALING_FILE = /^service\/src\/keys\/(service-key|seal|draw)\.ts$/
const SEALING_ROOMS = new Set([...KEYRING_ROOMS, 'orgs', 'webhooks', 'withdrawals'])

/** Seeds and private keys live in `keys/` alone. */
export const secretsStayInKeys: Rule = (tree) =>
  tree.sources
    .filter(({ path }) => isProduct(path) && roomOf(path) !== 'keys')
    .filter(({ path }) => !path.startsWith('simulator/'))
    .flatMap((source) =>
      edgesOf(tree, source)
        .filter(({ specifier }) => SECRET_LIBRARIES.test(specifier))
        .map(({ specifier, line }) => ({
          path: source.path,
          line,
          says: `imports ${specifier}; only keys/ handles seeds and private keys`,
        })),
    )

/** Only the rooms that sign or derive may hold the keyring. */
export const keyringIsHeldByFew: Rule = (tree) =>
  tree.sources
    .filter(({ path }) => roomOf(path) !== null && !isTest(path))
    .flatMap((source) => {
      const room = roomOf(source.path) ?? ''
      const imports = edgesOf(tree, source).flatMap(({ to, line }) => {
        if (to === null || roomOf(to) !== 'keys') return []
        const allowed = SEALING_FILE.test(to) ? SEALING_ROOMS : KEYRING_ROOMS
        return allowed.has(room) ? [] : [{ line, what: `imports ${to}` }]
      })
      const names = source.visits.flatMap(({ node }) => {
        const isNamed = node.type === 'Identifier' && /^keyring$/i.test(node.name)
        if (!isNamed || KEYRING_ROOMS.has(room)) return []
        return [{ line: source.lineOf(node.start), what: `names ${node.name}` }]
      })
      return [...imports, ...names].map(({ line, what }) => ({
        path: source.path,
        line,
        says: `${what}; ${room} is handed what it needs by a callback instead`,
      }))
    })
