import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

const artifactOf = (name) => JSON.parse(readFileSync(new URL(`../${name}.json`, import.meta.url), 'utf8'))

export async function check({ load }) {
  const { why } = await load()
  assert.deepEqual(await why({ artifact: artifactOf('TicketShop') }), [])
  assert.ok((await why({ artifact: artifactOf('GenerousShop') })).includes('PULLS_LESS'))
  assert.ok((await why({ artifact: artifactOf('SilentShop') })).includes('MINTS_WITHOUT_HOOK'))
}
