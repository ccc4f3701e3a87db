import { expect, test } from 'vitest'
import { postWebhook } from './postWebhook.ts'

const post = (url: string) => {
  const asked: string[] = []
  const fetch = async (asking: string | URL | Request) => {
    asked.push(String(asking))
    return new Response()
  }
  const outcome = postWebhook({
    url,
    event: { id: 'evt_1' },
    secrets: ['whsec_12345678'],
    seconds: 1,
    headerPrefix: undefined,
    fetch,
  })
  return outcome.then((value) => ({ ...value, asked }))
}

test('sends to this machine, where a developer’s server runs', async () => {
  const url = 'http://localhost:3000/hook'
  expect(await post(url)).toStrictEqual({ status: 200, asked: [url] })
})

test('sends nothing to an address that holds the credentials of the machine', async () => {
  expect(await post('http://169.254.169.254/latest/meta-data')).toStrictEqual({
    error: 'FORBIDDEN_ADDRESS',
    asked: [],
  })
})

test('reports a name that does not exist', async () => {
  expect(await post('http://nowhere.invalid/hook')).toMatchObject({
    error: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/),
    asked: [],
  })
})
