import * as items from '../src/areas/item.ts'
import { apiKey, connect, isProblem } from '../src/sdk.ts'
import { uploadFile } from '../src/upload.ts'

// A program of a user, which a test runs in other versions of Node.

const [url = '', key = ''] = process.argv.slice(2)
const gantry = connect({ url, auth: apiKey(key) })
const { id } = await items.create(gantry, { title: 'made' })
const item = await items.change(gantry, id, () => ({ title: 'changed' }))
const all = await items.list(gantry).all()
const refused = await items.get(gantry, 'NO-1').catch(error => error)
const { file } = await uploadFile(gantry, { file: new File([new Uint8Array(5_000_000)], 'large.bin') })
console.log(
  `${item.key} ${item.title}, ${all.length} of ${await items.list(gantry).count()}, ${isProblem(refused) && refused.code}, ${file.name} ${file.size}`,
)
