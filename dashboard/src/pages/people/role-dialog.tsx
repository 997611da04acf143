import type { User } from '@sluice/client'
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { refreshPeople } from '../../data/people.ts'
import { type Role, roleName } from '../../data/roles.ts'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { t } from '../../text/text.ts'
import { explainRefusal } from './refusal.tsx'
import { RoleChoice } from './role-choice.tsx'

/** Gives a person another role. */
export function RoleDialog({ person, onClose }: { person: User; onClose: () => void }) {
  const [role, setRole] = useState<Role>(person.role)
  const { username } = person
  const named = { username, role: roleName(role) }
  return (
    <CodeDialog
      title={t('people.changeRole')}
      description={t('people.changeRoleText', { username })}
      action={t('people.changeRoleAction', named)}
      isOpen
      onClose={onClose}
      perform={async (totpCode) => {
        if (role === person.role) throw new Error(t('people.sameRole'))
        return client.users.update(person.id, { role }, { totpCode })
      }}
      onDone={refreshPeople}
      done={t('people.roleChanged', named)}
      explain={(error) => explainRefusal(error, username)}
    >
      <RoleChoice chosen={role} onChange={setRole} />
    </CodeDialog>
  )
}
