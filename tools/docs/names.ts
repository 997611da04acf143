import { ERRORS, EVENT_TYPES, OPERATIONS, TRACE_CODES } from '@sluice/wire'
import { CHAIN_FIELDS, TOKEN_FIELDS } from '../../service/src/app/config-fields.ts'
import { SETTINGS } from '../../service/src/app/config-settings.ts'
import { ALERT_CODES } from '../../service/src/alerts/alert.ts'
import { type Code, codeIn, type Page } from './pages.ts'

/** A kind of name that pages use, and a check that a name exists. */
interface Kind {
  what: string
  /** Every name of the kind in a text. */
  shape: RegExp
  exists: (name: string) => boolean
}

/** Not settings: the path of the configuration, and variables of tests. */
const OTHER_VARIABLES = [
  'SLUICE_CONFIG',
  'SLUICE_TEST_DATABASE_URL',
  'SLUICE_FUZZ_REQUESTS',
  'SLUICE_FUZZ_SEED',
]
const variables = Object.values(SETTINGS).flatMap((setting) => {
  const isSecret = 'secret' in setting && setting.secret
  return isSecret ? [setting.env, `${setting.env}_FILE`] : [setting.env]
})
const codes: readonly string[] = [...Object.keys(TRACE_CODES), ...Object.keys(ERRORS)]
/** Why a withdrawal failed, and other words of the same shape that pages explain. */
const SUBJECTS =
  'deposit|withdrawal|account|balance|gas|chain|token|funding|sweep|spend|ledger|webhook|settings'

/** The kinds of names in pages, each with its source. `metrics` are the names served. */
export function kindsOf(metrics: ReadonlySet<string>, failures: readonly string[]): Kind[] {
  const events: readonly string[] = EVENT_TYPES
  return [
    {
      what: 'variable',
      shape: /\bSLUICE_[A-Z][A-Z_]*\b/g,
      exists: (name) => [...variables, ...OTHER_VARIABLES].includes(name),
    },
    {
      what: 'key of a chain',
      shape: /\bchains\.<id>\.[A-Za-z]+/g,
      exists: (name) => Object.hasOwn(CHAIN_FIELDS, name.slice('chains.<id>.'.length)),
    },
    {
      what: 'key of a token',
      shape: /\btokens\[\]\.[A-Za-z]+/g,
      exists: (name) => Object.hasOwn(TOKEN_FIELDS, name.slice('tokens[].'.length)),
    },
    {
      what: 'metric',
      shape: /\bsluice_[a-z_]+\b/g,
      exists: (name) => metrics.has(name) || DATABASE_ROLES.includes(name),
    },
    {
      what: 'event or alert',
      shape: new RegExp(`^(?:${SUBJECTS})\\.[a-z_]+$`, 'g'),
      exists: (name) => events.includes(name) || Object.hasOwn(ALERT_CODES, name),
    },
    {
      what: 'code',
      shape: /^[A-Z]{2,}(?:_[A-Z]+)+$/g,
      exists: (name) => codes.includes(name) || failures.includes(name) || NO_CODE.test(name),
    },
  ]
}

/** Variables, that of the samples too, and the constants that the style of the code speaks of. */
const NO_CODE = /^(?:SLUICE|SANDBOX|CHROMIUM)_|^WEBHOOK_SECRET$|_(?:MS|MAX)$/
const DATABASE_ROLES = ['sluice_owner', 'sluice_engine', 'sluice_api']

/** Names in the pages that do not exist. */
export function strangeNames(pages: readonly Page[], kinds: readonly Kind[]): string[] {
  const spans = pages.flatMap(codeIn)
  return kinds.flatMap((kind) => spans.flatMap((code) => strangersIn(kind, code)))
}

function strangersIn({ what, shape, exists }: Kind, { page, text }: Code): string[] {
  const names = [...text.matchAll(shape)].map(([name]) => name)
  return names.filter((name) => !exists(name)).map((name) => `${page}: no ${what} ${name}`)
}

const REQUEST = /\b(GET|POST|PATCH|DELETE|HEAD) (\/[A-Za-z0-9/_:{}<>.-]*)/g
/** Served beside the operations, and the sandbox's own. */
const OTHER_PATHS =
  /^\/(openapi\.json|docs\b.*|llms\.txt|metrics|deposits|mine|gas|reorg|webhooks|balances|totp)/
/** The sandbox's own for chains of coins. */
const COIN_PATHS = /^\/(fees|stuck|lose|mempool|double-spend)/

/** Requests in the pages that no operation answers. */
export function strangeRequests(pages: readonly Page[]): string[] {
  const known = Object.values(OPERATIONS).map(({ method, path }) => ({
    method,
    shape: new RegExp(`^${path.replaceAll(/:[A-Za-z]+/g, '(?::[A-Za-z]+|\\{[^}]+\\}|<[^>]+>)')}$`),
  }))
  return pages.flatMap((page) =>
    codeIn(page)
      .flatMap(({ text }) => [...text.matchAll(REQUEST)])
      .filter(([, method, path = '']) => {
        const asked = method === 'HEAD' ? 'GET' : method
        const isKnown = known.some((one) => one.method === asked && one.shape.test(path))
        return !isKnown && !OTHER_PATHS.test(path) && !COIN_PATHS.test(path)
      })
      .map(([request]) => `${page.path}: ${request}`),
  )
}
