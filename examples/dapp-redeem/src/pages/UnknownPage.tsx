import { PageTitle } from '../Layout.tsx'
import { hrefOf } from '../routes.ts'

export function UnknownPage() {
  return (
    <>
      <PageTitle title="Page not found" />
      <p className="lead">Perhaps it flew off. All our moths are in the catalogue.</p>
      <p className="section">
        <a className="button" href={hrefOf({ page: 'moths' })}>
          To the moths
        </a>
      </p>
    </>
  )
}
