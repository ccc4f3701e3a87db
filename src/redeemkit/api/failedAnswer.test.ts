import { expect, test, vi } from 'vitest'
import { askBody, fakeClient, fakeService, submitBody } from './api.fixture.ts'
import { creditsAuthMsg, sendGaslessTx } from './endpoints/redeem.ts'

// The network failed between an answer and loading its error code, or the page was deployed again.
vi.mock('./failedAnswer.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

const { client } = fakeClient(fakeService(), {
  retry: false,
  fetch: () => new Response('{"code":"EXCEEDS_AUTHORIZED"}', { status: 412 }),
})

test('an error answer whose reader cannot be loaded is no answer', async () => {
  await expect(creditsAuthMsg(client, askBody)).rejects.toMatchObject({ name: 'ServiceUnreachableError' })
})

test('of a submit its outcome is unknown then', async () => {
  await expect(sendGaslessTx(client, submitBody)).rejects.toMatchObject({
    name: 'OutcomeUnknownError',
    cause: { name: 'ServiceUnreachableError' },
  })
})
