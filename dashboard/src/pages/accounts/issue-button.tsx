import { useState } from 'react'
import { useMay } from '../../data/profile.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { t } from '../../text/text.ts'
import { IssueForm } from './issue-form.tsx'

interface IssueProps {
  /** The end user; without it the person types the id. */
  userId?: string
  /** Chains on which the end user has an address. */
  taken: readonly string[]
}

/** Opens the form that issues an address; absent for people without the permission. */
export function IssueButton(props: IssueProps) {
  const [isOpen, setOpen] = useState(false)
  if (!useMay('issueAddresses')) return null
  const close = () => setOpen(false)
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {t(props.taken.length === 0 ? 'accounts.issue' : 'accounts.issueMore')}
      </Button>
      <Dialog
        title={t('accounts.issue')}
        description={t('accounts.issueWhy')}
        isOpen={isOpen}
        onClose={close}
      >
        <IssueForm {...props} onClose={close} />
      </Dialog>
    </>
  )
}
