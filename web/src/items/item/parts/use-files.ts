import { call, codes, type File as StoredFile } from '@gantry/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { gantry } from '../../../kernel/data/client.ts'
import { readWithItem } from '../frame/open-item.ts'
import { uploadTo } from '../text/upload.ts'

export function useFiles(itemId: string): StoredFile[] {
  return (
    useQuery({
      ...readWithItem,
      queryKey: ['files', itemId],
      queryFn: ({ signal }) =>
        call(gantry, 'GET /file', { query: { owner: codes.owner.item, ownerId: itemId, limit: 100 }, signal }),
    }).data ?? []
  )
}

export function useAddFiles(itemId: string): (files: readonly File[]) => Promise<void> {
  const client = useQueryClient()
  return async files => {
    for (const file of files) await uploadTo(itemId, file)
    await client.invalidateQueries({ queryKey: ['files', itemId] })
  }
}
