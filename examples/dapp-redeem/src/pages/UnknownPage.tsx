import { PageTitle } from '../Layout.tsx'
import { hrefOf } from '../routes.ts'

export function UnknownPage() {
  return (
    <>
      <PageTitle title="Nothing sits here" />
      <p className="lead">Perhaps it flew off. The ones that stayed are in the catalogue.</p>
      <p className="section">
        <a className="button" href={hrefOf({ page: 'moths' })}>
          To the moths
        </a>
      </p>
    </>
  )
}
