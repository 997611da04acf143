import { ROLES, type Role, roleDoes, roleName } from '../../data/roles.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { t } from '../../text/text.ts'

/** A choice of one role, each explained. */
export function RoleChoice({ chosen, onChange }: { chosen: Role; onChange: (role: Role) => void }) {
  return (
    <ChoiceField
      label={t('people.chooseRole')}
      kind="radio"
      choices={ROLES.map((role) => ({ value: role, text: roleName(role), hint: roleDoes(role) }))}
      chosen={[chosen]}
      onChange={([role]) => role !== undefined && onChange(role)}
    />
  )
}
