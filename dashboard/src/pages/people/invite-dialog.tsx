import type { Invited } from '@sluice/client'
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { refreshPeople } from '../../data/people.ts'
import { type Role, roleName } from '../../data/roles.ts'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { t } from '../../text/text.ts'
import { InvitationLink } from './invitation-link.tsx'
import { RoleChoice } from './role-choice.tsx'

/** Invites a person, and shows the link to hand over. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [username, setUsername] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [invited, setInvited] = useState<Invited | null>(null)
  if (invited !== null) return <InvitationLink invited={invited} onDone={onClose} />
  const name = username.trim()
  return (
    <CodeDialog
      title={t('people.invite')}
      description={t('people.inviteWhy')}
      action={
        name === ''
          ? t('people.inviteActionOpen')
          : t('people.inviteAction', { username: name, role: roleName(role) })
      }
      isOpen
      onClose={onClose}
      fields={['username']}
      perform={(totpCode) => client.users.invite({ username: name, role }, { totpCode })}
      onDone={(result) => {
        refreshPeople()
        setInvited(result)
      }}
      keepsOpen
    >
      {(wrong) => (
        <>
          <TextField
            label={t('people.username')}
            hint={t('people.usernameHint')}
            value={username}
            onChange={(event) => setUsername(event.target.value)}
            minLength={3}
            maxLength={64}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            error={wrong('username')}
            required
          />
          <RoleChoice chosen={role} onChange={setRole} />
        </>
      )}
    </CodeDialog>
  )
}
