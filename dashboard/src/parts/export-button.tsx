import type { ExportFormat, ExportStream } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { saveFile } from './save-file.ts'
import { messageOf } from './states.tsx'
import { say } from './toast.tsx'

/** Saves every record of a filter, not only the page that is shown, as CSV. */
export function ExportButton({
  fileName,
  text = t('export.csv'),
  start,
}: {
  /** Without its extension. */
  fileName: string
  text?: string
  start: (format: ExportFormat) => Promise<ExportStream>
}) {
  const saving = useMutation({
    mutationFn: async () => {
      const stream = await start('csv')
      saveFile(await new Response(stream).blob(), `${fileName}.csv`)
    },
    onSuccess: () => say(t('export.done', { name: `${fileName}.csv` })),
    onError: (error) => say(messageOf(error), 'danger'),
  })
  return (
    <Button onClick={() => saving.mutate()} isBusy={saving.isPending}>
      <Icon name="download" />
      {saving.isPending ? t('export.running') : text}
    </Button>
  )
}
