import type { ExportFormat, ExportStream } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { messageOf } from './states.tsx'
import { say } from './toast.tsx'

/** Saves every record of a filter, not only the page that is shown, as CSV. */
export function ExportButton({
  fileName,
  start,
}: {
  /** Without its extension. */
  fileName: string
  start: (format: ExportFormat) => Promise<ExportStream>
}) {
  const saving = useMutation({
    mutationFn: async () => save(await start('csv'), `${fileName}.csv`),
    onSuccess: () => say(t('export.done', { name: `${fileName}.csv` })),
    onError: (error) => say(messageOf(error), 'danger'),
  })
  return (
    <Button onClick={() => saving.mutate()} isBusy={saving.isPending}>
      <Icon name="download" />
      {saving.isPending ? t('export.running') : t('export.csv')}
    </Button>
  )
}

/** Hands a stream to the browser as a file. */
async function save(stream: ExportStream, name: string): Promise<void> {
  const url = URL.createObjectURL(await new Response(stream).blob())
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
