import { Checkbox, Text } from '@mantine/core'
import { memo } from 'react'
import type { ReorderSuggestion } from '../../../../../shared/schemas/reorder-suggestions.ts'
import { TextLink } from '../../../components/layout/link-button.tsx'
import { VariantLink } from '../../../components/tables/variant-link.tsx'
import { detailId, RowToggle } from './row-toggle.tsx'
import { canOrder } from './suggestion-groups.ts'
import classes from './suggestion-list.module.css'

type Props = {
  suggestion: ReorderSuggestion
  isSelected: boolean
  onSelect: (ruleId: number, isSelected: boolean) => void
  isOpen: boolean
  onToggle: (ruleId: number) => void
}

/** Memoized, because a page lists hundreds of suggestions and a selection changes one of them. */
export const SuggestedProduct = memo(function SuggestedProduct(props: Props) {
  const { suggestion, isSelected, onSelect, isOpen, onToggle } = props
  const { ruleId, variantId, sku, title, locationName, supplierId, suggestedQuantity } = suggestion
  return (
    <div className={classes.product}>
      {canOrder(suggestion) ? (
        <Checkbox
          checked={isSelected}
          onChange={(event) => onSelect(ruleId, event.currentTarget.checked)}
          label={title}
          classNames={{ label: classes.title }}
        />
      ) : (
        <Text size="sm" className={classes.unselectable} c={suggestedQuantity === 0 ? 'dimmed' : undefined}>
          {title}
        </Text>
      )}
      <div className={classes.about}>
        <Text size="xs" c="dimmed" span>
          <VariantLink variantId={variantId}>{sku || 'no SKU'}</VariantLink>
          {locationName !== null && ` · ${locationName}`}
        </Text>{' '}
        <RowToggle
          id={ruleId}
          name="Why?"
          about={`${suggestedQuantity} of ${title}`}
          isOpen={isOpen}
          onToggle={onToggle}
        />
        {supplierId === null && (
          <div>
            <TextLink size="sm" to="/reorder/rules" search={{ variantId }}>
              Choose a supplier
            </TextLink>
          </div>
        )}
      </div>
    </div>
  )
})

export const SuggestionReason = ({
  suggestion: { ruleId, variantId, explanation },
}: Pick<Props, 'suggestion'>) => (
  <div id={detailId(ruleId)} className={classes.reason}>
    {explanation}{' '}
    <TextLink to="/reorder/rules" search={{ variantId }} inherit>
      Change the rule
    </TextLink>
  </div>
)
