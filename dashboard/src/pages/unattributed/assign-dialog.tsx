import type { UnattributedPayment } from '@sluice/client'
import { useState } from 'react'
import { useAccountOn } from '../../data/accounts.ts'
import { formatAmount } from '../../data/amounts.ts'
import { useProfile } from '../../data/profile.ts'
import { assignPayment } from '../../data/unattributed.ts'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { endsOf } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { TextArea, TextField } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { OnChain } from '../../parts/on-chain.tsx'
import { LargeAmount } from '../../parts/amount.tsx'
import { t } from '../../text/text.ts'
import { decisionOf } from './decision.ts'

interface AssignProps {
  payment: UnattributedPayment
  /** The names of people by their id. */
  names: ReadonlyMap<string, string>
  onClose: () => void
}

/** Proposes the end user of a payment, or confirms the proposal of another person. */
export function AssignDialog({ payment, names, onClose }: AssignProps) {
  const { id, amount, Token, chainId, proposedBy } = payment
  const [userId, setUserId] = useState(payment.externalUserId)
  const [reason, setReason] = useState('')
  const { data: profile } = useProfile()
  const decision = decisionOf(payment, { userId, callerId: profile?.id ?? '' })
  const shown = formatAmount(amount, Token)
  const isConfirming = decision === 'confirm'
  const proposer = names.get(proposedBy) ?? proposedBy
  return (
    <CodeDialog
      title={t('unattributed.dialog')}
      description={t('unattributed.dialogWhy')}
      action={t(isConfirming ? 'unattributed.confirmAction' : 'unattributed.proposeAction', {
        amount: shown,
        user: userId === '' ? t('unattributed.someUser') : endsOf(userId),
      })}
      isOpen
      onClose={onClose}
      perform={(totpCode) => assignPayment(id, { externalUserId: userId, reason, totpCode })}
      onDone={() => undefined}
      done={t(isConfirming ? 'unattributed.confirmed' : 'unattributed.proposed')}
    >
      <PaymentFacts payment={payment} />
      {payment.status === 'Proposed' && (
        <Notice
          tone={isConfirming ? 'info' : 'warning'}
          title={t('unattributed.proposal', { name: proposer, user: payment.externalUserId })}
        >
          {t(`unattributed.decision.${decision}`)}
        </Notice>
      )}
      <TextField
        label={t('record.user')}
        value={userId}
        onChange={(event) => setUserId(event.target.value)}
        error={decision === 'own' ? t('unattributed.decision.own') : undefined}
        hint={<AccountHint chainId={chainId} userId={userId} />}
        maxLength={255}
        autoComplete="off"
        required
      />
      <TextArea
        label={t('unattributed.reason')}
        hint={t('unattributed.reasonHint')}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        maxLength={500}
        required
      />
    </CodeDialog>
  )
}

function PaymentFacts({ payment }: { payment: UnattributedPayment }) {
  const { amount, Token, chainId, txnHash, senderAddress, destinationTag } = payment
  return (
    <>
      <LargeAmount baseUnits={amount} unit={Token} />
      <Facts
        facts={[
          [t('accounts.tag'), destinationTag ?? t('unattributed.noTag')],
          [
            t('record.sender'),
            <OnChain
              key="from"
              chainId={chainId}
              kind="address"
              value={senderAddress}
              what={t('record.sender')}
              isWhole
              isForeign
            />,
          ],
          [
            t('record.transaction'),
            <OnChain
              key="hash"
              chainId={chainId}
              kind="tx"
              value={txnHash}
              what={t('record.transaction')}
            />,
          ],
        ]}
      />
    </>
  )
}

/** Whether the end user has an account on the chain, which the assignment needs. */
function AccountHint({ chainId, userId }: { chainId: string; userId: string }) {
  const { data: account } = useAccountOn(chainId, userId)
  if (userId === '' || account === undefined) return t('unattributed.userHint')
  if (account === null) return t('unattributed.noAccount')
  const tag = account.properties.destinationTag ?? ''
  return t('unattributed.hasAccount', { tag })
}
