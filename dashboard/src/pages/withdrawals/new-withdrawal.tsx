import { useState } from 'react'
import { useMay, useProfile } from '../../data/profile.ts'
import { Card, Page } from '../../parts/page.tsx'
import { Forbidden, Skeleton } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import { type Checked, emptyDraft, proposeReference } from './draft.ts'
import { NewForm } from './new-form.tsx'
import { NewReview } from './new-review.tsx'

/** A new withdrawal: a form, then a review of what is paid to whom. */
export function NewWithdrawal() {
  const { data: profile } = useProfile()
  const mayCreate = useMay('createWithdrawals')
  const [draft, setDraft] = useState(() =>
    emptyDraft(proposeReference(new Date(), crypto.getRandomValues(new Uint8Array(8)))),
  )
  const [checked, setChecked] = useState<Checked | null>(null)
  const step = checked === null ? 'form' : 'review'
  return (
    <Page
      title={t(`newWithdrawal.title.${step}`)}
      lead={t(`newWithdrawal.lead.${step}`)}
      back={{ href: '/withdrawals', text: t('withdrawals.title') }}
    >
      {profile === undefined && <Skeleton />}
      {profile !== undefined && !mayCreate && (
        <Card>
          <Forbidden needed="createWithdrawals" />
        </Card>
      )}
      {mayCreate && checked === null && (
        <Card>
          <NewForm draft={draft} onChange={setDraft} onChecked={setChecked} />
        </Card>
      )}
      {mayCreate && checked !== null && (
        <NewReview checked={checked} onBack={() => setChecked(null)} />
      )}
    </Page>
  )
}
