import { isSluiceError } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useSession } from '../data/session.ts'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import { CodeField } from './code-field.tsx'
import { Dialog } from './dialog.tsx'
import { Form, FormActions } from './form.tsx'
import { Failure, messageOf } from './states.tsx'
import { say } from './toast.tsx'

interface CodeDialogProps<Result> {
  title: string
  description?: string
  /** The text of the button, a fact: `Approve 1,250.00 USDT on TRON`. */
  action: string
  isDangerous?: boolean
  isOpen: boolean
  onClose: () => void
  /** Carries the action out with the one-time code. */
  perform: (totpCode: string) => Promise<Result>
  /** Called after success, before the dialog closes. */
  onDone: (result: Result) => void
  /** The caller closes the dialog itself, to show the result. */
  keepsOpen?: boolean
  /** Announced after success. */
  done?: string
  /** Facts to confirm and further fields, above the code. */
  children?: ReactNode | ((wrong: FieldError) => ReactNode)
  /** The fields of `children` that show their refusals, by the names of the interface. */
  fields?: readonly string[]
  /** Called after a refusal other than of the code. */
  onRefused?: (error: unknown) => void
  /** Explains a refusal in its own words; null leaves it to the general ones. */
  explain?: (error: unknown) => ReactNode
}

/** The refusal of a field; undefined if the last refusal is about something else. */
type FieldError = (field: string) => string | undefined

/** Asks for a fresh one-time code, last, before a change that needs one. */
export function CodeDialog<Result>(props: CodeDialogProps<Result>) {
  const { title, description, isOpen, onClose } = props
  return (
    <Dialog
      title={title}
      {...(description !== undefined && { description })}
      isOpen={isOpen}
      onClose={onClose}
    >
      <Confirmation {...props} />
    </Dialog>
  )
}

function Confirmation<Result>(props: CodeDialogProps<Result>) {
  const { action, isDangerous = false, onClose, perform, onDone, done, children } = props
  const { fields = [], explain, keepsOpen = false, onRefused } = props
  const { session } = useSession()
  const [code, setCode] = useState('')
  const change = useMutation({
    mutationFn: () => perform(code),
    onSuccess: (result) => {
      if (done !== undefined) say(done)
      onDone(result)
      if (!keepsOpen) onClose()
    },
    onError: (error) => {
      // A code works once, whether the action succeeded or not.
      setCode('')
      if (!isSluiceError(error, 'INVALID_TOTP')) onRefused?.(error)
    },
  })
  const isCodeWrong = isSluiceError(change.error, 'INVALID_TOTP')
  const wrong: FieldError = (field) =>
    fieldOf(change.error) === field ? messageOf(change.error) : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!change.isPending) change.mutate()
  }
  return (
    <Form onSubmit={submit} error={change.error}>
      {typeof children === 'function' ? children(wrong) : children}
      <CodeField
        value={code}
        onChange={setCode}
        username={session?.username ?? ''}
        error={isCodeWrong ? t('code.wrong') : undefined}
      />
      {change.error !== null && !isCodeWrong && !fields.some(wrong) && (
        <Refused error={change.error} explain={explain} />
      )}
      <FormActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look={isDangerous ? 'danger' : 'primary'} isBusy={change.isPending}>
          {action}
        </Button>
      </FormActions>
    </Form>
  )
}

function Refused({
  error,
  explain,
}: {
  error: unknown
  explain: CodeDialogProps<unknown>['explain']
}) {
  const explained = explain?.(error) ?? null
  return explained === null ? <Failure error={error} /> : <div role="alert">{explained}</div>
}

/** The field that a refusal names. */
export function fieldOf(error: unknown): unknown {
  return isSluiceError(error) ? error.details['field'] : undefined
}
