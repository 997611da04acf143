import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Config, ConfigProblems, type Environment, loadConfig } from './config.ts'
import { catalogueOf } from './ground.ts'

const DEVELOPMENT = { environment: 'development' }
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-config-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** Loads a configuration file with this content, and these variables. */
function load(content: unknown, env: Environment = {}): Config {
  return loadConfig({ ...env, SLUICE_CONFIG: write('sluice.config.json', content) })
}

function problemsOf(content: unknown, env: Environment = {}): readonly string[] {
  try {
    load(content, env)
    return []
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems
    throw error
  }
}

describe('sources of values', () => {
  test('a variable overrides the file, and the file overrides the default', () => {
    const config = load({ ...DEVELOPMENT, port: 1234, pollMs: 500 }, { SLUICE_PORT: '4321' })
    expect([config.port, config.pollMs]).toEqual([4321, 500])
    expect(config.sources).toMatchObject({ port: 'variable', pollMs: 'file', auditMs: 'default' })
  })

  test('an empty variable and a null in the file are ignored', () => {
    const { auditMs, port } = load({ ...DEVELOPMENT, auditMs: null }, { SLUICE_PORT: '' })
    expect([auditMs, port]).toEqual([60_000, 8080])
  })

  test('a secret is read from the file that its variable names [O08]', () => {
    const path = write('passphrase', 'correct horse\n')
    const { seedPassphrase, sources } = load(DEVELOPMENT, { SLUICE_SEED_PASSPHRASE_FILE: path })
    expect([seedPassphrase, sources['seedPassphrase']]).toEqual(['correct horse', 'secret file'])
  })

  test('a secret set twice and a missing secret file are reported', () => {
    const missing = join(folder, 'nowhere')
    const env = {
      SLUICE_DATABASE_URL: 'postgresql://a/b',
      SLUICE_DATABASE_URL_FILE: missing,
      SLUICE_SEED_PASSPHRASE_FILE: missing,
    }
    const problems = problemsOf(DEVELOPMENT, env)
    expect(problems).toHaveLength(2)
    expect(problems.join('\n')).toMatch(/SLUICE_DATABASE_URL and SLUICE_DATABASE_URL_FILE/)
    expect(problems.join('\n')).toMatch(/SLUICE_SEED_PASSPHRASE_FILE: .*nowhere/)
  })

  test('an empty secret file is reported and does not select the embedded database [O07]', () => {
    const path = write('empty', ' \n')
    expect(problemsOf(DEVELOPMENT, { SLUICE_DATABASE_URL_FILE: path })).toEqual([
      `SLUICE_DATABASE_URL_FILE: the file ${path} is empty`,
    ])
  })

  test('a database login is refused without the owner or the other login [O07]', () => {
    const url = 'postgresql://sluice_engine@db.internal/sluice'
    expect(problemsOf({ ...DEVELOPMENT, databaseEngineUrl: url })).toEqual([
      'SLUICE_DATABASE_ENGINE_URL: also set SLUICE_DATABASE_URL or SLUICE_DATABASE_API_URL',
    ])
    expect(problemsOf({ ...DEVELOPMENT, databaseApiUrl: url })).toEqual([
      'SLUICE_DATABASE_API_URL: also set SLUICE_DATABASE_URL or SLUICE_DATABASE_ENGINE_URL',
    ])
    expect(problemsOf({ ...DEVELOPMENT, databaseEngineUrl: url, databaseApiUrl: url })).toEqual([])
  })

  test('paths become absolute, and keys are in the data folder by default', () => {
    const config = load({ ...DEVELOPMENT, dataFolder: 'data' })
    expect(config.dataFolder).toBe(resolve('data'))
    expect(config.seedFile).toBe(resolve('data', 'seed.json'))
    expect(config.serviceKeyFile).toBe(resolve('data', 'service.key'))
  })

  test('lists are accepted as lists or with commas', () => {
    const listed = load({ ...DEVELOPMENT, roles: ['api', 'audit'] })
    const joined = load(DEVELOPMENT, { SLUICE_ROLES: 'api, audit' })
    expect(listed.roles).toEqual(['api', 'audit'])
    expect(joined.roles).toEqual(listed.roles)
  })
})

describe('errors', () => {
  test('all errors are reported together, each with its variable and an example [O07]', () => {
    const problems = problemsOf(
      { pollMs: 'often', colour: 'blue', chains: { 'eip155:1': { nodes: ['ftp://x'] } } },
      { SLUICE_PORT: '99999', SLUICE_ENV: 'staging', SLUICE_PROT: '1' },
    )
    expect(problems).toEqual([
      'colour: unknown key; see docs/configuration.md',
      'SLUICE_PROT: unknown variable; see docs/configuration.md',
      'SLUICE_ENV: must be production or development, such as production',
      'SLUICE_PORT: must be a whole number from 1 to 65535, such as 8080',
      'pollMs (SLUICE_POLL_MS) in the file: must be a whole number from 50 to 60000, such as 1000',
      expect.stringMatching(/^chains\.eip155:1\.nodes: must be a list of HTTP .*such as \["http:/),
      expect.stringMatching(/^SLUICE_API_KEY_MAY_CONFIGURE: must be set in production/),
    ])
  })

  test('an error never contains the value of a secret [K03]', () => {
    const problems = problemsOf(
      { ...DEVELOPMENT, seedPassphrase: { hunter2: true } },
      { SLUICE_DATABASE_URL_FILE: folder },
    )
    expect(problems.join('\n')).not.toMatch(/hunter2/)
  })

  test.each([
    [{ host: { a: 1 } }, /^host \(SLUICE_HOST\) in the file: must be text, a number/],
    [{ roles: ['api', ['audit']] }, /^roles \(SLUICE_ROLES\) in the file: must be text, a number/],
    [{ dataFolder: ' ' }, /^dataFolder \(SLUICE_DATA_FOLDER\) in the file: must not be empty/],
    [{ host: '' }, /^host \(SLUICE_HOST\) in the file: must not be empty/],
    [{ chains: { 'eip155:1': { constructor: 1 } } }, /^chains\.eip155:1\.constructor: no such key/],
  ])('an invalid value or name is reported: %j [O07]', (content, wrong) => {
    expect(problemsOf({ ...DEVELOPMENT, ...content })).toEqual([expect.stringMatching(wrong)])
  })

  test.each(['nonsense', 'mysql://hunter2@db/x', 'postgresql://db:port/x'])(
    'an invalid PostgreSQL URL is reported without its value: %s [O07] [K03]',
    (url) => {
      const problems = problemsOf(DEVELOPMENT, { SLUICE_DATABASE_URL: url })
      expect(problems).toEqual([
        expect.stringMatching(
          /^SLUICE_DATABASE_URL: must be a PostgreSQL URL, such as .*db\.internal/,
        ),
      ])
      expect(problems.join()).not.toContain(url)
    },
  )

  test.each([
    'postgresql:///sluice?host=%2Frun%2Fpg',
    'postgres://a:p%40ss@[::1]:5433/sluice',
    'postgres://a:50%@/x?host=/run',
  ])('a URL with a socket, an IP address or an unusual password is accepted: %s', (url) => {
    const config = load(DEVELOPMENT, { SLUICE_DATABASE_URL: url })
    expect(config.databaseUrl).toBe(url)
  })

  test('a missing file and a file without a JSON object are reported', () => {
    expect(() => loadConfig({ SLUICE_CONFIG: join(folder, 'none.json') })).toThrow(
      /SLUICE_CONFIG: cannot read the file .*none\.json/,
    )
    expect(problemsOf('[1]').join()).toMatch(/must be a JSON object/)
    expect(problemsOf('{"port": 80').join()).toMatch(/must be a JSON object/)
  })

  test('an unreadable file in the working folder is reported [O07]', () => {
    const before = process.cwd()
    onTestFinished(() => process.chdir(before))
    const loadIn = (...path: string[]) => {
      process.chdir(join(folder, ...path))
      return loadConfig({ SLUICE_ENV: 'development' })
    }
    mkdirSync(join(folder, 'without'))
    expect(loadIn('without').file).toBe('')
    mkdirSync(join(folder, 'without', 'sluice.config.json'))
    expect(() => loadIn('without')).toThrow(
      /sluice\.config\.json: the user that runs this program cannot read it/,
    )
  })

  test('a variable that is not secret has no _FILE variant', () => {
    expect(problemsOf(DEVELOPMENT, { SLUICE_PORT_FILE: folder })).toEqual([
      'SLUICE_PORT_FILE: unknown variable; see docs/configuration.md',
    ])
  })
})

describe('sign-in and limits', () => {
  test('a token is valid for at most twelve hours [S18]', () => {
    expect(load({ ...DEVELOPMENT, jwtTtlSeconds: 43_200 }).jwtTtlSeconds).toBe(43_200)
    for (const jwtTtlSeconds of [43_201, 86_400, 59, 0, -1, 3600.5, '12h'])
      expect(problemsOf({ ...DEVELOPMENT, jwtTtlSeconds }).join()).toMatch(/from 60 to 43200/)
  })

  test('the default limits follow the decisions', () => {
    expect(load(DEVELOPMENT)).toMatchObject({
      jwtTtlSeconds: 3600,
      limitReads: 600,
      limitWrites: 120,
      limitDepositAddresses: 300,
      limitLogInsPerUser: 5,
      limitLogInsPerAddress: 20,
      trustedProxies: [],
    })
  })

  test('trusted proxies are accepted by address or network only [S12]', () => {
    const settings = { ...DEVELOPMENT, trustedProxies: ['10.0.0.0/8', '::1'] }
    expect(load(settings).trustedProxies).toEqual(['10.0.0.0/8', '::1'])
    for (const trustedProxies of ['true', '*', 'proxy.internal', '10.0.0.0/33'])
      expect(problemsOf({ ...DEVELOPMENT, trustedProxies })).toEqual([
        expect.stringContaining('SLUICE_TRUSTED_PROXIES'),
      ])
  })

  test.each(['0', '59', '43201', '-1', '1.5', 'hour'])(
    'a token lifetime of %s seconds is refused',
    (text) => {
      expect(problemsOf(DEVELOPMENT, { SLUICE_JWT_TTL_SECONDS: text })).toHaveLength(1)
    },
  )
})

describe('production', () => {
  const SETTLED = { SLUICE_API_KEY_MAY_CONFIGURE: 'false' }

  test('production requires the setting of what API keys may change [O07]', () => {
    expect(problemsOf({})).toEqual([
      'SLUICE_API_KEY_MAY_CONFIGURE: must be set in production, such as false',
    ])
    expect(load({}, SETTLED).environment).toBe('production')
    expect(load({ apiKeyMayConfigure: true }).apiKeyMayConfigure).toBe(true)
  })

  test.each([
    ['SLUICE_WEBHOOK_ALLOW_PRIVATE', 'true'],
    ['SLUICE_WEBHOOK_ALLOW_HTTP', 'true'],
    ['SLUICE_WEBHOOK_DEV_ORIGINS', 'http://127.0.0.1:8091'],
  ])('production refuses the development setting %s [O07]', (name, value) => {
    expect(problemsOf({}, { ...SETTLED, [name]: value })).toEqual([
      expect.stringContaining(`${name}: is for development only`),
    ])
    expect(problemsOf(DEVELOPMENT, { [name]: value })).toEqual([])
  })

  test('production refuses deposits without confirmations [O07]', () => {
    const chains = { 'eip155:1': { nodes: ['https://node.example'], confirmations: 0 } }
    expect(problemsOf({ chains }, SETTLED)).toEqual([
      expect.stringContaining('chains.eip155:1.confirmations: must be at least 1'),
    ])
    expect(problemsOf({ ...DEVELOPMENT, chains })).toEqual([])
  })
})

describe('chains and tokens', () => {
  test.each(['000000000019d6689c085ae165831e93', '0f9188f13cb7b2c71f2a335e3a4fc328'])(
    'a Bitcoin chain accepts nodes: %s',
    (reference) => {
      const chains = { [`bip122:${reference}`]: { nodes: ['http://user:word@127.0.0.1:18443'] } }
      expect(problemsOf({ ...DEVELOPMENT, chains })).toEqual([])
    },
  )

  const TOKEN = {
    id: 'eip155:11155111/erc20:0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238',
    name: 'Ours',
    symbol: 'USDC',
    decimals: 6,
    minimumAmount: '1000000',
  }

  test('chains and tokens have the documented shape', () => {
    const config = load({
      ...DEVELOPMENT,
      chains: { 'eip155:11155111': { nodes: ['http://127.0.0.1:8545'], confirmations: 3 } },
      tokens: [TOKEN],
    })
    expect(config.chains).toEqual([
      {
        id: 'eip155:11155111',
        nodes: [{ url: 'http://127.0.0.1:8545', headers: {} }],
        confirmations: 3,
        startHeight: null,
        traces: 'auto',
        completeness: 'receipts',
        pollMs: null,
        feeCap: null,
        feePercent: 10,
        gasLimit: null,
        tokenGasLimit: null,
        feeBumpAfterBlocks: null,
        withdrawalBatchMax: 100,
        consolidateFromCoins: null,
        consolidateBelowPerKvb: null,
        addressType: null,
        genesis: null,
        explorer: 'catalogue',
        tickets: 8,
      },
    ])
    expect(config.tokens).toMatchObject([{ name: 'Ours', minimumAmount: 1_000_000n }])
  })

  test('genesis is accepted for test networks of TRON only', () => {
    const id = `0000000000000000${'5a'.repeat(24)}`
    const genesisOf = (chain: string, genesis: unknown) =>
      load({ ...DEVELOPMENT, chains: { [chain]: { genesis } } }).chains[0]?.genesis
    expect(genesisOf('tron:shasta', id)).toBe(id)
    expect(genesisOf('tron:shasta', null)).toBeNull()
    expect(() => genesisOf('tron:shasta', '0x12')).toThrow(/genesis: must be the id of a TRON/)
    for (const other of ['tron:0x00000000000000000000000000000000', 'eip155:11155111']) {
      expect(() => genesisOf(other, id)).toThrow(/genesis: only a test network of TRON/)
    }
  })

  test('a node may have headers, and a chain no nodes', () => {
    const headers = { authorization: 'Bearer x' }
    const config = load({
      ...DEVELOPMENT,
      chains: { 'eip155:1': { nodes: [{ url: 'https://a.example', headers }] }, 'tron:shasta': {} },
    })
    expect(config.chains.map(({ nodes }) => nodes)).toEqual([
      [{ url: 'https://a.example', headers }],
      [],
    ])
  })

  test('address types are accepted for Bitcoin only', () => {
    const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
    const typeOf = (id: string, addressType: unknown) =>
      load({ ...DEVELOPMENT, chains: { [id]: { addressType } } }).chains[0]?.addressType
    expect(['p2tr', 'p2wpkh', null].map((one) => typeOf(bitcoin, one))).toEqual([
      'p2tr',
      'p2wpkh',
      null,
    ])
    const nodes = ['http://user:word@127.0.0.1:8332']
    const [plain, taproot] = [{}, { addressType: 'p2tr' }].map((more) =>
      catalogueOf(load({ ...DEVELOPMENT, chains: { [bitcoin]: { nodes, ...more } } })),
    )
    expect(plain?.chain(bitcoin)).not.toHaveProperty('addressType')
    expect(taproot?.chain(bitcoin)?.addressType).toBe('p2tr')
    expect(() => typeOf(bitcoin, 'p2sh')).toThrow(/addressType: must be p2wpkh or p2tr/)
    expect(() => typeOf('eip155:1', 'p2tr')).toThrow(/addressType: only Bitcoin/)
  })

  test('a cookie file is accepted for Bitcoin nodes only', () => {
    const chain = 'bip122:000000000019d6689c085ae165831e93'
    const node = { url: 'http://127.0.0.1:8332', cookieFile: '/var/lib/bitcoind/.cookie' }
    const config = load({ ...DEVELOPMENT, chains: { [chain]: { nodes: [node] } } })
    expect(config.chains[0]?.nodes).toEqual([{ ...node, headers: {} }])
    const wrongs: [string, object][] = [
      ['eip155:1', node],
      [chain, { ...node, cookieFile: '.cookie' }],
      [chain, { ...node, cookieFile: 1 }],
      [chain, { ...node, url: 'http://user:word@127.0.0.1:8332' }],
    ]
    for (const [id, wrong] of wrongs) {
      expect(() => load({ ...DEVELOPMENT, chains: { [id]: { nodes: [wrong] } } })).toThrow(
        /nodes: /,
      )
    }
  })

  test.each([
    ['a chain that is not in the catalogue', { chains: { 'eip155:5': { nodes: [] } } }, /eip155:5/],
    ['a chain that is not an object', { chains: { 'eip155:1': 'http://x' } }, /must be an object/],
    ['chains that are a list', { chains: [] }, /chains: must be an object of chain ids/],
    ['an unknown key', { chains: { 'eip155:1': { node: [] } } }, /eip155:1\.node: no such/],
    ['an unknown trace mode', { chains: { 'eip155:1': { traces: 'all' } } }, /traces: must/],
    ['tokens that are not a list', { tokens: {} }, /tokens: must be a list/],
    [
      'a token without a name',
      { tokens: [{ ...TOKEN, name: undefined }] },
      /tokens\.0\.name: must be given/,
    ],
    [
      'an amount that is a number',
      { tokens: [{ ...TOKEN, minimumAmount: 5 }] },
      /minimumAmount: must be base units/,
    ],
    [
      'an address with a wrong checksum',
      { tokens: [{ ...TOKEN, id: TOKEN.id.replace('1c7D', '1C7D') }] },
      /checksum/,
    ],
    [
      'a token listed twice in different spelling',
      { tokens: [TOKEN, { ...TOKEN, id: TOKEN.id.toLowerCase(), minimumAmount: '5' }] },
      /^tokens\.1: repeats the token of tokens\.0$/,
    ],
    [
      'other decimals than the catalogue has',
      { tokens: [{ ...TOKEN, decimals: 18 }] },
      /decimals of this token are 6/,
    ],
  ])('%s is refused', (_what, content, says) => {
    expect(problemsOf({ ...DEVELOPMENT, ...content })).toEqual([expect.stringMatching(says)])
  })
})
