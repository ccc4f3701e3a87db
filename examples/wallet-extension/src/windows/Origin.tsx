import { Note } from './parts.tsx'
import { useText } from './useText.tsx'

/**
 * Returns an origin as text that is different for every site: without `https://`, and letters of other scripts as ASCII (`xn--…`).
 */
export function originText(origin: string): string {
  if (!URL.canParse(origin)) return origin
  const { protocol, host } = new URL(origin)
  return protocol === 'https:' ? host : `${protocol}//${host}`
}

/** Shows the requesting site. Its name is never shortened, because the end of the name shows who owns the site. */
export function Origin(props: { origin: string }) {
  const { text } = useText()
  const shown = originText(props.origin)
  return (
    <>
      <bdi className="origin" dir="ltr">
        {shown}
      </bdi>
      {/(?:^|[./])xn--/.test(shown) && <Note tone="care">{text('origin.otherScript')}</Note>}
      {/^http:/.test(shown) && !thisMachine.test(shown) && <Note tone="care">{text('origin.plain')}</Note>}
    </>
  )
}

const thisMachine = /^http:\/\/(?:localhost|[^/]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/
