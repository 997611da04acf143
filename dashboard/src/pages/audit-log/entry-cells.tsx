import type { AuditEntry } from '@sluice/client'
import { Link } from 'wouter'
import { objectHref, readActor } from '../../data/audit-entry.ts'
import { useChains, useTokens } from '../../data/catalogue.ts'
import { useNames } from '../../data/names.ts'
import { useOrganization } from '../../data/organization.ts'
import { Short } from '../../parts/address.tsx'
import { endsOf } from '../../parts/copy.tsx'
import { t } from '../../text/text.ts'
import styles from './audit-log.module.css'

/** The actor: a person by name, an API key, the operator, or a part of the service. */
export function ActorName({ actor }: { actor: string }) {
  const names = useNames()
  const { kind, value } = readActor(actor)
  if (kind === 'operator') return t('auditLog.operator', { name: value })
  if (kind === 'service') return t('auditLog.service', { name: value })
  const name = names?.get(value)
  if (name === undefined)
    return (
      <span title={value}>{names === undefined ? endsOf(value) : t('auditLog.apiKeyActor')}</span>
    )
  return (
    <Link href={`/people/${value}`} className={styles['name']}>
      <bdi>{name}</bdi>
    </Link>
  )
}

/** The changed object by its name, or else its id. */
export function ObjectLink({ entry }: { entry: AuditEntry }) {
  const name = useObjectName(entry)
  const href = objectHref(entry)
  const { object } = entry
  if (href === null)
    return name === null ? <Short value={object} what={t('auditLog.objectWhat')} /> : name
  return (
    <Link href={href} title={object} className={styles[name === null ? 'id' : 'name']}>
      <bdi>{name ?? endsOf(object)}</bdi>
    </Link>
  )
}

function useObjectName({ object, details }: AuditEntry): string | null {
  const names = useNames()
  const chain = useChains().get(object)
  const token = useTokens().get(object)
  const { data: organization } = useOrganization()
  if (organization?.id === object) return organization.name
  const named = details['name']
  return (
    names?.get(object) ?? chain?.name ?? token?.symbol ?? (typeof named === 'string' ? named : null)
  )
}
