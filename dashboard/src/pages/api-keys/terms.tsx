import { Facts } from '../../parts/facts.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import type { KeyTerms } from './key-form.tsx'

/** The terms of a key, to be confirmed or read. */
export function Terms({ terms }: { terms: Omit<KeyTerms, 'name'> & { name?: string } }) {
  const { name, scopes, allowedCidrs, expiresAt } = terms
  return (
    <Facts
      facts={[
        name === undefined ? null : [t('apiKeys.name'), <bdi key="name">{name}</bdi>],
        [t('apiKeys.scopes'), scopes.map((scope) => t(`scopes.${scope}.name`)).join(', ')],
        [
          t('apiKeys.networks'),
          allowedCidrs.length === 0 ? t('apiKeys.everywhere') : allowedCidrs.join(', '),
        ],
        [
          t('apiKeys.expires'),
          expiresAt === null ? t('apiKeys.never') : <Time key="expires" iso={expiresAt} />,
        ],
      ]}
    />
  )
}
