import { edgesOf, isProduct, isTest, roomOf, type Rule } from './tree.ts'

/** Libraries that handle seeds and private keys. */
const SECRET_LIBRARIES = /^@scure\/bip(32|39)(\/|$)/
/** The modules that derive addresses or sign. `api` issues addresses from stored xpubs alone. */
const KEYRING_MODULES = new Set(['keys', 'accounts', 'transactions', 'gas', 'app', 'cli'])
/** Files that open no wallet: the service key seals rows, and `draw` makes salts and codes. */
const SEALING_FILE = /^service\/src\/keys\/(service-key|seal|draw)\.ts$/
const SEALING_MODULES = new Set([...KEYRING_MODULES, 'orgs', 'webhooks', 'withdrawals'])

/** Only `keys/` handles seeds and private keys. */
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

/** Only the modules that sign or derive may hold the keyring. */
export const keyringIsHeldByFew: Rule = (tree) =>
  tree.sources
    .filter(({ path }) => roomOf(path) !== null && !isTest(path))
    .flatMap((source) => {
      const module = roomOf(source.path) ?? ''
      const imports = edgesOf(tree, source).flatMap(({ to, line }) => {
        if (to === null || roomOf(to) !== 'keys') return []
        const allowed = SEALING_FILE.test(to) ? SEALING_MODULES : KEYRING_MODULES
        return allowed.has(module) ? [] : [{ line, what: `imports ${to}` }]
      })
      const names = source.visits.flatMap(({ node }) => {
        const isNamed = node.type === 'Identifier' && /^keyring$/i.test(node.name)
        if (!isNamed || KEYRING_MODULES.has(module)) return []
        return [{ line: source.lineOf(node.start), what: `names ${node.name}` }]
      })
      return [...imports, ...names].map(({ line, what }) => ({
        path: source.path,
        line,
        says: `${what}; pass a callback to ${module} instead`,
      }))
    })
