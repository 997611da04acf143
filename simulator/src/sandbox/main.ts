import { once } from 'node:events'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { type SandboxSettings, readSettings } from './settings.ts'

const tell = (line: string) => console.log(line)

/** What a newcomer needs to take the first step. */
function greet({ state, configFile, logFile }: Sandbox, { folder }: SandboxSettings): void {
  const { baseUrl, controlUrl, apiKey, tokens } = state
  const usdt = tokens.find(({ symbol }) => symbol === 'USDT')
  const query = `chainId=${usdt?.chainId}&tokenId=${usdt?.id}&userId=alice`
  const { chainId, id: tokenId } = usdt ?? {}
  const payment = JSON.stringify({ chainId, tokenId, address: '<address>', amount: '25000000' })
  const header = `-H 'x-api-key: ${apiKey}'`
  const lines = [
    '',
    `Sluice runs at ${baseUrl}`,
    `API key        ${apiKey}`,
    '',
    'Three commands to try: get a deposit address, pay 25 test dollars to it, list the payments.',
    '',
    `  curl -s ${header} '${baseUrl}/payments/deposit-address?${query}'`,
    `  curl -s ${controlUrl}/deposits -d '${payment}'`,
    `  curl -s ${header} ${baseUrl}/payments`,
    '',
    `Webhooks       curl -s ${controlUrl}/webhooks`,
    `Command line   SLUICE_CONFIG=${configFile} npx sluice chain list`,
    `People, tokens ${folder}/sandbox.json`,
    `Log            ${logFile}`,
    '',
    'Ctrl-C stops everything.',
    '',
  ]
  for (const line of lines) tell(line)
}

/** Ctrl-C before everything stands: what was started notices that this process is gone. */
function leaveEarly(): void {
  tell('The sandbox stops before it was up.')
  process.exit(130)
}

/** Why the sandbox ends: somebody asks it to, or its service is no more, which is a failure. */
function untilOver(sandbox: Sandbox): Promise<{ reason: string; exitCode: number }> {
  const signals = (['SIGINT', 'SIGTERM'] as const).map(async (name) => {
    await once(process, name)
    return { reason: name, exitCode: 0 }
  })
  const crash = sandbox.ended.then((code) => {
    const how = code === null ? 'killed' : `exit code ${code}`
    return {
      reason: `the service ended by itself (${how}); its log is ${sandbox.logFile}`,
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
  tell(`The sandbox stops: ${reason}.`)
  await sandbox.stop()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
