// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { toJson } from 'redeemkit'
import { afterEach, expect, test, vi } from 'vitest'
import type { WalletState } from '../messages.ts'
import { state } from './fakeWorker.fixture.ts'
import { openWindow } from './openWindow.tsx'
import { PopupWindow } from './windows.tsx'

afterEach(() => vi.unstubAllGlobals())

const { settings } = state

test.each([
  ['cannot read its data', { failure: { code: 'failed', message: '' } }],
  [
    'has data that the window cannot show',
    { value: { ...state, settings: { ...settings, language: 'xx' } } },
  ],
  [
    'has data of another type',
    // The types do not allow such data.
    { value: { ...state, accounts: [null] as unknown as WalletState['accounts'] } },
  ],
])('a window whose worker %s says what to do instead of being empty', async (_, answer) => {
  document.body.innerHTML = '<div id="root"></div>'
  const onMessage = { addListener: () => {}, removeListener: () => {} }
  const sendMessage = async () => ({ text: toJson(answer) })
  vi.stubGlobal('chrome', { runtime: { sendMessage, onMessage } })
  openWindow((worker) => <PopupWindow worker={worker} />)
  expect(await screen.findByRole('heading', { name: 'Pocket cannot read its data' })).toBeDefined()
  expect(screen.getByText(/Your data was not deleted/)).toBeDefined()
})
