import { t } from '../text/text.ts'

/** The name of a person; an API key has a technical one. */
export function personOf(
  name: string,
  userId: string,
  names: ReadonlyMap<string, string> | undefined,
): string {
  return names === undefined || names.has(userId) ? name : t('approvals.apiKey')
}
