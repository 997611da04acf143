import type { SingleWithdrawal } from '@sluice/client'
import { Link } from 'wouter'
import { useNames } from '../../data/names.ts'
import { personOf } from '../../data/person-of.ts'
import { Amount } from '../../parts/amount.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { useNative } from './transactions.tsx'

/** The facts that the organization gave to the payment, and the times of the record. */
export function RecordFacts({ withdrawal }: { withdrawal: SingleWithdrawal }) {
  const { id, reference, internalNote, externalUserId, chainId, fee } = withdrawal
  const { createdAt, updatedAt, waitingSince } = withdrawal
  const native = useNative(chainId)
  return (
    <Facts
      facts={[
        [t('withdrawal.initiator'), <Initiator withdrawal={withdrawal} key="initiator" />],
        [t('withdrawal.createdAt'), <Time iso={createdAt} key="created" />],
        [t('withdrawals.reference'), <bdi key="reference">{reference}</bdi>],
        [
          t('withdrawals.user'),
          externalUserId === '' ? (
            t('withdrawal.noUser')
          ) : (
            <Link key="user" href={`/accounts/${encodeURIComponent(externalUserId)}`}>
              <bdi>{externalUserId}</bdi>
            </Link>
          ),
        ],
        [t('withdrawal.note'), <bdi key="note">{internalNote ?? t('withdrawal.noNote')}</bdi>],
        fee !== null && native !== null
          ? [t('withdrawal.fee'), <Amount key="fee" baseUnits={fee} unit={native} />]
          : null,
        waitingSince === null
          ? null
          : [t('withdrawal.waitingSince'), <Time iso={waitingSince} key="since" />],
        [t('withdrawal.updatedAt'), <Time iso={updatedAt} key="updated" />],
        [t('withdrawal.id'), <code key="id">{id}</code>],
      ]}
    />
  )
}

/** The person or API key that created a withdrawal. */
function Initiator({ withdrawal }: { withdrawal: SingleWithdrawal }) {
  const { initiator, initiatorName } = withdrawal
  return personOf(initiatorName, initiator, useNames())
}
