import { Text } from '@mantine/core'
import { IconPlus, IconUpload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { ReorderRule } from '../../../../../shared/schemas/reorder-rules.ts'
import { listQuery } from '../../../api/queries.ts'
import { LinkButton, TextLink } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { ProductFacets } from '../../../components/pickers/product-facets.tsx'
import { isProductFiltered, productFilterOf } from '../../../components/pickers/product-filter.ts'
import { SupplierPicker } from '../../../components/pickers/supplier-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList } from '../../../components/tables/data-list.tsx'
import { Filters } from '../../../components/tables/filters.tsx'
import { SearchField } from '../../../components/tables/search-field.tsx'
import { useOpenRows } from '../suggestions/row-toggle.tsx'
import { ComputedRule } from './computed-rule.tsx'
import { DeleteRule } from './delete-rule.tsx'
import { noRules } from './no-rules.tsx'
import { ruleColumns } from './rule-columns.tsx'
import classes from './rule-list.module.css'

const route = getRouteApi('/reorder/rules')

export function RuleList() {
  const filter = route.useSearch()
  const { search, supplierId, variantId } = filter
  const ofProduct = productFilterOf(filter)
  const query = { search, supplierId, variantId, ...ofProduct }
  const navigate = route.useNavigate()
  const rules = useInfiniteQuery(listQuery('GET /reorder/rules', { query }))
  const [deleting, setDeleting] = useState<ReorderRule | null>(null)
  const rows = useOpenRows()
  const list = useRef<HTMLDivElement>(null)
  const isFiltered =
    search !== undefined ||
    supplierId !== undefined ||
    variantId !== undefined ||
    isProductFiltered(ofProduct)
  return (
    <PageBody>
      <PageHeader
        title="Reorder rules"
        back={{ to: '/reorder', name: 'Reorder' }}
        actions={
          <>
            <CsvButton path="/reorder/rules" query={query} name="reorder-rules" />
            <LinkButton to="/reorder/rules/import" variant="default" leftSection={<IconUpload size={16} />}>
              Import
            </LinkButton>
            <LinkButton to="/reorder/rules/new" leftSection={<IconPlus size={16} />}>
              Create a rule
            </LinkButton>
          </>
        }
      />
      <Filters>
        <SearchField
          label="Product"
          placeholder="Title, SKU or barcode"
          value={search ?? ''}
          onSearch={(text) =>
            navigate({
              search: (now) => ({ ...now, search: text || undefined }),
              // replaces the history entry while typing, so that Back leaves the search in one step
              replace: search !== undefined,
            })
          }
        />
        <SupplierPicker
          label="Supplier"
          placeholder="All suppliers"
          value={supplierId ?? null}
          onChange={(id) => navigate({ search: (now) => ({ ...now, supplierId: id ?? undefined }) })}
          isClearable
        />
        <ProductFacets
          value={ofProduct}
          onChange={(change) => navigate({ search: (now) => ({ ...now, ...change }) })}
        />
      </Filters>
      {variantId !== undefined && (
        <Text size="sm">
          Showing the rules of one product.{' '}
          <TextLink to="/reorder/rules" search={{}}>
            Show all rules
          </TextLink>
        </Text>
      )}
      <div ref={list} tabIndex={-1} className={classes.list}>
        <DataList
          label="Reorder rules"
          query={rules}
          columns={ruleColumns({ format: useFormat(), query, rows, onDelete: setDeleting })}
          detailOf={(rule) =>
            rule.mode === 'auto' && rows.isOpen(rule.id) && <ComputedRule rule={rule} query={query} />
          }
          keyOf={({ id }) => id}
          empty={
            isFiltered
              ? {
                  title: 'No rules match these filters',
                  text: 'Change the search, choose another supplier or clear a filter.',
                }
              : noRules
          }
        />
      </div>
      <DeleteRule query={query} rule={deleting} onClose={() => setDeleting(null)} returnTo={list} />
    </PageBody>
  )
}
