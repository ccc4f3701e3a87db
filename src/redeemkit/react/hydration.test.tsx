// @vitest-environment happy-dom
import { act, cleanup } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { purchase, world } from '../wagmi/wagmi.fixture.ts'
import { providersOf } from './react.fixture.tsx'
import { useOpenRedeems } from './useOpenRedeems.ts'
import { useRedeem } from './useRedeem.ts'

afterEach(cleanup)

function Page() {
  return <p>{`${useRedeem(purchase).step} ${useOpenRedeems().data?.open.length ?? 'none'}`}</p>
}

test('the page’s first render equals the server’s render', async () => {
  const server = world({ ssr: true })
  const Server = providersOf(server)
  const page = document.createElement('div')
  page.innerHTML = renderToString(
    <Server>
      <Page />
    </Server>,
  )
  const client = world({ ssr: true })
  const Client = providersOf(client)
  const mismatches: unknown[] = []
  const root = await act(async () =>
    hydrateRoot(
      page,
      <Client>
        <Page />
      </Client>,
      { onRecoverableError: (error) => mismatches.push(error) },
    ),
  )
  expect(mismatches).toEqual([])
  expect(page.textContent).toBe('notConnected none')
  act(() => root.unmount())
})
