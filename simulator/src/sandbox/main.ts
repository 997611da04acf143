import { once } from 'node:events'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { type SandboxSettings, readSettings } from './settings.ts'

const tell = (line: string) => console.log(line)

/** Prints the address, the API key and the first three commands. */
function greet({ state, configFile, logFile }: Sandbox, { folder }: SandboxSettings): void {
  const { baseUrl, controlUrl, apiKey, tokens, users } = state
  const usdt = tokens.find(({ symbol }) => symbol === 'USDT')
  const query = `chainId=${usdt?.chainId}&tokenId=${usdt?.id}&userId=alice`
  const { chainId, id: tokenId } = usdt ?? {}
  const payment = JSON.stringify({ chainId, tokenId, address: '<address>', amount: '25000000' })
  const header = `-H 'x-api-key: ${apiKey}'`
  const lines = [
    '',
    `Sluice runs at ${baseUrl}`,
    `API key        ${apiKey}`,
    // Browsers allow passkeys at a name only.
    `Dashboard      ${baseUrl.replace('127.0.0.1', 'localhost')}/dashboard/`,
    '',
    'Sign in with a name and its password; the page fills in the one-time code.',
    '',
    ...users.map(({ username, password, role }) => `  ${username} (${role})  ${password}`),
    '',
    'Try these commands: get a deposit address, pay 25 test dollars to it, list the payments.',
    '',
    `  curl -s ${header} '${baseUrl}/payments/deposit-address?${query}'`,
    `  curl -s ${controlUrl}/deposits -d '${payment}'`,
    `  curl -s ${header} ${baseUrl}/payments`,
    '',
    `Webhooks       curl -s ${controlUrl}/webhooks`,
    `Command line   SLUICE_CONFIG=${configFile} npx sluice chain list`,
    `Users, tokens  ${folder}/sandbox.json`,
    `Log            ${logFile}`,
    '',
    'Press Ctrl-C to stop.',
    '',
  ]
  for (const line of lines) tell(line)
}

/** Exits on Ctrl-C during startup: child processes end with this process. */
function leaveEarly(): void {
  tell('The sandbox was stopped during startup.')
  process.exit(130)
}

/** Resolves on a signal, or when the service ends, which is a failure. */
function untilOver(sandbox: Sandbox): Promise<{ reason: string; exitCode: number }> {
  const signals = (['SIGINT', 'SIGTERM'] as const).map(async (name) => {
    await once(process, name)
    return { reason: name, exitCode: 0 }
  })
  const crash = sandbox.ended.then((code) => {
    const how = code === null ? 'killed' : `exit code ${code}`
    return {
      reason: `the service ended unexpectedly (${how}); see ${sandbox.logFile}`,
      exitCode: 1,
    }
  })
  return Promise.race([...signals, crash])
}

process.on('SIGINT', leaveEarly)
process.on('SIGTERM', leaveEarly)
try {
  const settings = readSettings(process.argv.slice(2), process.env)
  const sandbox = await startSandbox(settings, tell)
  process.off('SIGINT', leaveEarly)
  process.off('SIGTERM', leaveEarly)
  const over = untilOver(sandbox)
  greet(sandbox, settings)
  const { reason, exitCode } = await over
  process.exitCode = exitCode
  tell(`Stopping the sandbox: ${reason}.`)
  await sandbox.stop()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
