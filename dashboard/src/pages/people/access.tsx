import type { Invited, User } from '@sluice/client'
import { useState } from 'react'
import { usePeople } from '../../data/people.ts'
import { isLastAdmin, type Standing } from '../../data/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Setting } from '../../parts/setting.tsx'
import { t, type TextKey } from '../../text/text.ts'
import { type ChangeKind, ChangeDialog } from './change-dialog.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { RoleDialog } from './role-dialog.tsx'

/** A change of a person, with its button. */
interface Offer {
  kind: ChangeKind | 'role'
  button: TextKey
  text: TextKey
  isDangerous?: boolean
}

const ROLE: Offer = { kind: 'role', button: 'people.changeRole', text: 'people.changeRoleText' }
const DISABLE: Offer = {
  kind: 'disable',
  button: 'people.disable',
  text: 'people.disableText',
  isDangerous: true,
}
const ENABLE: Offer = { kind: 'enable', button: 'people.enable', text: 'people.enableText' }
const RESET: Offer = { kind: 'reset', button: 'people.reset', text: 'people.resetText' }
const REINVITE: Offer = { kind: 'reinvite', button: 'people.reinvite', text: 'people.reinviteText' }
const WITHDRAW: Offer = { kind: 'withdraw', button: 'people.withdraw', text: 'people.withdrawText' }

/** The changes that make sense in each state. */
const OFFERS: Readonly<Record<Standing, readonly Offer[]>> = {
  active: [ROLE, RESET, DISABLE],
  invited: [ROLE, REINVITE, WITHDRAW, DISABLE],
  expired: [ROLE, REINVITE, DISABLE],
  withdrawn: [ROLE, REINVITE, DISABLE],
  reset: [ROLE, REINVITE, WITHDRAW, DISABLE],
  disabled: [ENABLE],
  tampered: [DISABLE],
}
/** The changes that would leave no admin. */
const NEEDS_ANOTHER_ADMIN: readonly Offer[] = [ROLE, DISABLE, RESET]

/** The changes that an admin may make to a person, each with its effect. */
export function Access({ person, standing }: { person: User; standing: Standing }) {
  const { data: people = [] } = usePeople()
  const [open, setOpen] = useState<Offer['kind'] | null>(null)
  const [invited, setInvited] = useState<Invited | null>(null)
  const { username } = person
  const isLast = isLastAdmin(person, people)
  const offers = OFFERS[standing].filter((offer) => !isLast || !NEEDS_ANOTHER_ADMIN.includes(offer))
  const close = () => setOpen(null)
  return (
    <>
      {isLast && <p>{t('people.lastAdmin', { username })}</p>}
      {offers.map(({ kind, button, text, isDangerous = false }) => (
        <Setting key={kind} text={t(text, { username })}>
          <Button look={isDangerous ? 'danger' : 'plain'} onClick={() => setOpen(kind)}>
            {t(button)}
          </Button>
        </Setting>
      ))}
      {open === 'role' && <RoleDialog person={person} onClose={close} />}
      {open !== null && open !== 'role' && (
        <ChangeDialog kind={open} person={person} onClose={close} onInvited={setInvited} />
      )}
      {invited !== null && <InvitationLink invited={invited} onDone={() => setInvited(null)} />}
    </>
  )
}
