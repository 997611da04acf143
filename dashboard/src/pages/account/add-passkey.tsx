import { useState } from 'react'
import { queries } from '../../data/client.ts'
import { addPasskey } from '../../data/passkeys.ts'
import { Button } from '../../parts/button.tsx'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { t } from '../../text/text.ts'

const NAME_MAX = 100

/** Adds a passkey: a name and a code, then the prompt of the browser. */
export function AddPasskey() {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const open = () => {
    setName('')
    setOpen(true)
  }
  return (
    <>
      <Button onClick={open}>{t('passkeys.add')}</Button>
      <CodeDialog
        title={t('passkeys.add')}
        description={t('passkeys.addWhy')}
        action={t('passkeys.addAction')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        fields={['name']}
        perform={(totpCode) => addPasskey(name, totpCode)}
        onDone={() => void queries.invalidateQueries({ queryKey: ['passkeys'] })}
        done={t('passkeys.addDone')}
      >
        {(wrong) => (
          <TextField
            label={t('passkeys.name')}
            hint={t('passkeys.nameHint')}
            value={name}
            onChange={(event) => setName(event.target.value)}
            maxLength={NAME_MAX}
            autoComplete="off"
            error={wrong('name')}
            required
          />
        )}
      </CodeDialog>
    </>
  )
}
