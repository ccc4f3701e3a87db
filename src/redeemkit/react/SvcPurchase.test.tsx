// @vitest-environment happy-dom
// @vitest-environment-options {"url":"http://localhost:4000"}
import { cleanup, render, waitFor } from '@testing-library/react'
import { Component, type ReactNode, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest'
import { SvcPurchase } from './SvcPurchase.tsx'

afterEach(cleanup)

// Replaces the iframe with another element, because happy-dom warns about iframes.
const create = document.createElement.bind(document)
vi.spyOn(document, 'createElement').mockImplementation((name: string) =>
  create(name === 'iframe' ? 'x-frame' : name),
)

const props = {
  baseUrl: 'http://127.0.0.1:9',
  merchantId: 'shop',
  sessionKey: 'the key',
  purchaseId: 'order 1',
  order: { subtotal: { cents: 1000, currency: 'USD' as const } },
}

const frames = () => [...document.querySelectorAll<HTMLIFrameElement>('x-frame')]

function formOf(frame: HTMLIFrameElement | undefined) {
  if (frame === undefined) throw new Error('There is no frame.')
  const source = { postMessage: vi.fn() }
  Object.defineProperty(frame, 'contentWindow', { value: source })
  const tell = (type: string, facts: object = {}, origin = props.baseUrl) =>
    window.dispatchEvent(
      // Stands in for the frame's window; only its identity is used.
      Object.assign(
        new MessageEvent('message', { data: { svc: 'card-form', version: 1, type, ...facts }, origin }),
        {
          source,
        },
      ),
    )
  return { tell, sent: source.postMessage }
}

class Boundary extends Component<{ children: ReactNode }, { name?: string }> {
  override state: { name?: string } = {}
  static getDerivedStateFromError = ({ name }: Error) => ({ name })
  override render = () => this.state.name ?? this.props.children
}

test('mounts one named frame of the service, even in strict mode, and removes it', () => {
  const view = render(<SvcPurchase {...props} />, { wrapper: StrictMode })
  expect(frames().map(({ src, title, allow }) => ({ src, title, allow }))).toEqual([
    {
      src: 'http://127.0.0.1:9/card/shop?parent=http%3A%2F%2Flocalhost%3A4000',
      title: 'Card payment',
      allow: 'payment',
    },
  ])
  view.unmount()
  expect(frames()).toEqual([])
})

test("the session key is sent to the service's origin only, and only to the form", async () => {
  render(<SvcPurchase {...props} env="sandbox" />)
  const { tell, sent } = formOf(frames()[0])
  tell('hello', {}, 'http://evil.example')
  tell('hello')
  await waitFor(() => expect(sent).toHaveBeenCalled())
  expect(sent.mock.calls).toEqual([
    [
      expect.objectContaining({ type: 'start', sessionKey: 'the key', environment: 'sandbox' }),
      props.baseUrl,
    ],
  ])
})

test('calls the callback of the latest render with the payment id', () => {
  const [first, last] = [vi.fn(), vi.fn()]
  const view = render(<SvcPurchase {...props} onSuccess={first} />)
  view.rerender(<SvcPurchase {...props} onSuccess={last} />)
  const { tell } = formOf(frames()[0])
  tell('hello')
  tell('success', { paymentId: 'pay_1' })
  expect([first.mock.calls, last.mock.calls]).toEqual([[], [['pay_1', { hash: undefined }]]])
})

test('equal props keep the form, and another purchase restarts it', async () => {
  const view = render(<SvcPurchase {...props} />)
  const { tell, sent } = formOf(frames()[0])
  tell('hello')
  await waitFor(() => expect(sent).toHaveBeenCalledTimes(1))
  view.rerender(<SvcPurchase {...props} />)
  view.rerender(<SvcPurchase {...props} order={{ subtotal: { cents: 5, currency: 'USD' } }} />)
  await waitFor(() => expect(sent).toHaveBeenCalledTimes(2))
  expect(sent.mock.calls[1]?.[0]).toMatchObject({ type: 'start', order: { subtotal: { cents: 5 } } })
})

test.each([
  [99_999, '2400px'],
  [-5, '120px'],
  [512.4, '513px'],
  ['1000', '560px'],
  [Number.NaN, '560px'],
])('a height of %s becomes %s', (height, shown) => {
  render(<SvcPurchase {...props} />)
  const { tell } = formOf(frames()[0])
  tell('hello')
  tell('shown')
  tell('height', { height })
  expect(frames()[0]?.style.height).toBe(shown)
})

test('an invalid prop throws to the error boundary', () => {
  const { container } = render(
    <Boundary>
      <SvcPurchase {...props} merchantId="" />
    </Boundary>,
    { onCaughtError: () => {} },
  )
  expect(container.textContent).toBe('InvalidOrderIdError')
})

test('the props must contain an order id', () => {
  const { purchaseId: _, ...rest } = props
  expectTypeOf(rest).not.toExtend<SvcPurchase.Props>()
  expectTypeOf({ ...rest, purchaseId: 'order 1' }).toExtend<SvcPurchase.Props>()
  expectTypeOf({ ...rest, checkoutJwtToken: 'jwt' }).toExtend<SvcPurchase.Props>()
  // @ts-expect-error purchaseId is missing, and no checkout JWT contains one
  const nameless = <SvcPurchase {...rest} />
  expect(() => renderToString(nameless)).not.toThrow() // a server mounts nothing
})

test('a server renders an empty element', () => {
  expect(renderToString(<SvcPurchase {...props} className="pay" />)).toBe('<div class="pay"></div>')
})
