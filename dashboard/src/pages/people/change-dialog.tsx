import type { Invited, User } from '@sluice/client'
import { client } from '../../data/client.ts'
import { refreshPeople } from '../../data/people.ts'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { t, type TextKey } from '../../text/text.ts'
import { explainRefusal } from './refusal.tsx'

/** A change of a person without further fields. */
export type ChangeKind = 'disable' | 'enable' | 'reset' | 'reinvite' | 'withdraw'

interface Change {
  title: TextKey
  text: TextKey
  action: TextKey
  /** Announced; a new invitation is shown instead. */
  done?: TextKey
  isDangerous?: boolean
  /** Returns the new invitation, if the change makes one. */
  perform: (id: string, totpCode: string) => Promise<Invited | null>
}

const reset: Change['perform'] = (id, totpCode) => client.users.reset(id, { totpCode })

const CHANGES: Readonly<Record<ChangeKind, Change>> = {
  disable: {
    title: 'people.disableTitle',
    text: 'people.disableText',
    action: 'people.disableAction',
    done: 'people.disabled',
    isDangerous: true,
    perform: async (id, totpCode) => {
      await client.users.update(id, { disabled: true }, { totpCode })
      return null
    },
  },
  enable: {
    title: 'people.enableTitle',
    text: 'people.enableText',
    action: 'people.enableAction',
    done: 'people.enabled',
    perform: async (id, totpCode) => {
      await client.users.update(id, { disabled: false }, { totpCode })
      return null
    },
  },
  reset: {
    title: 'people.resetTitle',
    text: 'people.resetText',
    action: 'people.resetAction',
    isDangerous: true,
    perform: reset,
  },
  reinvite: {
    title: 'people.reinviteTitle',
    text: 'people.reinviteText',
    action: 'people.reinviteAction',
    perform: reset,
  },
  withdraw: {
    title: 'people.withdrawTitle',
    text: 'people.withdrawText',
    action: 'people.withdrawAction',
    done: 'people.withdrawn',
    perform: async (id, totpCode) => {
      await client.users.withdrawInvitation(id, { totpCode })
      return null
    },
  },
}

interface ChangeDialogProps {
  kind: ChangeKind
  person: User
  onClose: () => void
  onInvited: (invited: Invited) => void
}

/** Confirms a change of a person with a one-time code. */
export function ChangeDialog({ kind, person, onClose, onInvited }: ChangeDialogProps) {
  const { title, text, action, done, isDangerous, perform } = CHANGES[kind]
  const { id, username } = person
  return (
    <CodeDialog
      title={t(title, { username })}
      description={t(text, { username })}
      action={t(action, { username })}
      {...(isDangerous !== undefined && { isDangerous })}
      {...(done !== undefined && { done: t(done, { username }) })}
      isOpen
      onClose={onClose}
      perform={(totpCode) => perform(id, totpCode)}
      onDone={(invited) => {
        refreshPeople()
        if (invited !== null) onInvited(invited)
      }}
      explain={(error) => explainRefusal(error, username)}
    />
  )
}
