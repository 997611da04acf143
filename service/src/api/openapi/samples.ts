import { OPERATIONS, type Operation, type OperationName } from '@sluice/wire'

/**
 * The curl command of an operation's example, with the variables `BASE_URL`, `API_KEY` and
 * `ACCESS_TOKEN`. They lack the prefix `SLUICE_`, because commands in the same shell refuse
 * unknown variables with it.
 */
export function curlOf(name: OperationName): string {
  const { method, credential, path, example }: Operation = OPERATIONS[name]
  const { params, query, body } = example
  const target = path.replaceAll(/:(\w+)/g, (_all, one: string) =>
    encodeURIComponent(params?.[one] ?? ''),
  )
  const search = Object.entries(query ?? {}).map(
    ([key, value]) => `${key}=${encodeURIComponent(String(value))}`,
  )
  const address = `"$BASE_URL${target}${search.length === 0 ? '' : `?${search.join('&')}`}"`
  return [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${address}`,
    ...CREDENTIALS[credential],
    ...(body === undefined
      ? []
      : [
          `-H 'content-type: application/json'`,
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
        ]),
  ].join(' \\\n  ')
}

const CREDENTIALS: Readonly<Record<Operation['credential'], readonly string[]>> = {
  either: ['-H "x-api-key: $API_KEY"'],
  apiKey: ['-H "x-api-key: $API_KEY"'],
  bearer: ['-H "authorization: Bearer $ACCESS_TOKEN"'],
  none: [],
}
