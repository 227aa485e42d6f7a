import { IconPlus, IconUpload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { ReorderRule } from '../../../../../shared/schemas/reorder-rules.ts'
import { listQuery } from '../../../api/queries.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { ProductFacets } from '../../../components/pickers/product-facets.tsx'
import { productFilterOf } from '../../../components/pickers/product-filter.ts'
import { useSupplierName } from '../../../components/pickers/supplier-names.ts'
import { SupplierPicker } from '../../../components/pickers/supplier-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { Filters } from '../../../components/tables/filters.tsx'
import { FilterChips } from '../../../components/tables/list/filter-chips.tsx'
import { useListAddress } from '../../../components/tables/list/list-address.ts'
import { ListRows } from '../../../components/tables/list/list-rows.tsx'
import { SearchField } from '../../../components/tables/search-field.tsx'
import { useVariantTitle } from '../../../components/tables/variant-title.ts'
import { useOpenRows } from '../suggestions/row-toggle.tsx'
import { RuleBulkActions } from './bulk-actions.tsx'
import { ComputedRule } from './computed-rule.tsx'
import { computingPollMs } from './computing.ts'
import { DeleteRule } from './delete-rule.tsx'
import { noRules } from './no-rules.tsx'
import { ruleColumns } from './rule-columns.tsx'
import { type RuleFilter, readRuleFilter } from './rule-filter.ts'
import classes from './rule-list.module.css'
import { sorts } from './sorts.ts'

const route = getRouteApi('/reorder/rules')

export function RuleList() {
  const address = useListAddress(route, readRuleFilter)
  const { filter, isFiltered, setFilter } = address
  const { search, supplierId, variantId, vendor, productType, tag } = filter
  const query = { ...filter, count: true }
  const rules = useInfiniteQuery({
    ...listQuery('GET /reorder/rules', { query }),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ records }) => records.some(({ isComputing }) => isComputing))
        ? computingPollMs
        : false,
  })
  const [deleting, setDeleting] = useState<ReorderRule | null>(null)
  const rows = useOpenRows()
  const list = useRef<HTMLDivElement>(null)
  const product = useVariantTitle(variantId)
  const supplier = useSupplierName(supplierId)
  return (
    <PageBody>
      <PageHeader
        title="Reorder rules"
        back={{ to: '/reorder', name: 'Reorder' }}
        actions={
          <>
            <CsvButton path="/reorder/rules" query={filter} name="reorder-rules" />
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
          value={search}
          onSearch={(search, options) => setFilter({ search }, options)}
        />
        <SupplierPicker
          label="Supplier"
          placeholder="All suppliers"
          value={supplierId ?? null}
          onChange={(id) => setFilter({ supplierId: id ?? undefined })}
          isClearable
        />
        <ProductFacets value={productFilterOf(filter)} onChange={setFilter} />
      </Filters>
      <FilterChips<RuleFilter>
        filters={[
          ['search', 'Search', search],
          ['variantId', 'Product', product],
          ['supplierId', 'Supplier', supplier],
          ['vendor', 'Vendor', vendor],
          ['productType', 'Product type', productType],
          ['tag', 'Tag', tag],
        ]}
        onChange={setFilter}
      />
      <div ref={list} tabIndex={-1} className={classes.list}>
        <ListRows
          list="reorder-rules"
          address={address}
          label="Reorder rules"
          query={rules}
          columns={ruleColumns({ format: useFormat(), query, rows, onDelete: setDeleting })}
          sorts={sorts}
          bulk={{
            nameOf: ({ title, locationName }) => (locationName ? `${title} at ${locationName}` : title),
            actions: (selection) => <RuleBulkActions selection={selection} />,
          }}
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
