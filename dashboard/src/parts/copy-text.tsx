import type { ReactNode } from 'react'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { say } from './toast.tsx'

/** A button that copies several lines, such as the facts of a record for support. */
export function CopyText({ text, children }: { text: string; children: ReactNode }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      say(t('copy.doneText'))
    } catch {
      say(t('copy.failed'), 'danger')
    }
  }
  return (
    <Button onClick={() => void copy()}>
      <Icon name="copy" />
      {children}
    </Button>
  )
}
