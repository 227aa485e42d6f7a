/** GraphQL documents of an app like ours. All must be valid against the simulator's schema. */
export const documents = {
  createSubscription: `
    mutation Create($topic: WebhookSubscriptionTopic!, $webhookSubscription: WebhookSubscriptionInput!) {
      webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhookSubscription) {
        webhookSubscription { id topic endpoint { __typename ... on WebhookHttpEndpoint { callbackUrl } } }
        userErrors { field message }
      }
    }`,
  updateSubscription: `
    mutation Update($id: ID!, $webhookSubscription: WebhookSubscriptionInput!) {
      webhookSubscriptionUpdate(id: $id, webhookSubscription: $webhookSubscription) {
        webhookSubscription { id topic uri }
        userErrors { field message }
      }
    }`,
  deleteSubscription: `
    mutation Delete($id: ID!) {
      webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { field message } }
    }`,
  subscriptions: `
    query Subscriptions($first: Int!, $after: String, $topics: [WebhookSubscriptionTopic!]) {
      webhookSubscriptions(first: $first, after: $after, topics: $topics) {
        nodes { id topic uri callbackUrl format endpoint { ... on WebhookHttpEndpoint { callbackUrl } } }
        pageInfo { hasNextPage endCursor }
      }
    }`,
  shop: `
    query Shop {
      shop {
        id name email contactEmail myshopifyDomain currencyCode ianaTimezone
        primaryDomain { host } plan { publicDisplayName }
        shopAddress { address1 city zip country countryCodeV2 phone formatted }
        billingAddress { company city }
      }
      currentAppInstallation { id accessScopes { handle } app { handle } }
    }`,
  locations: `
    query Locations($first: Int!, $after: String) {
      locations(first: $first, after: $after, includeInactive: true, includeLegacy: true) {
        nodes { id legacyResourceId name isActive isPrimary shipsInventory fulfillsOnlineOrders address { city countryCode } }
        pageInfo { hasNextPage endCursor }
      }
    }`,
  location: `
    query Location($id: ID!) {
      location(id: $id) {
        id name isActive deactivatedAt
        address { address1 address2 city province provinceCode zip countryCode phone formatted }
      }
    }`,
  products: `
    query Products($first: Int!, $variants: Int!, $after: String, $query: String) {
      products(first: $first, after: $after, query: $query, sortKey: ID) {
        nodes {
          id title vendor status updatedAt
          variantsCount { count precision }
          variants(first: $variants) {
            nodes { id title sku barcode price position updatedAt inventoryItem { id tracked unitCost { amount } } }
            pageInfo { hasNextPage endCursor }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
    }`,
  productVariants: `
    query ProductVariants($id: ID!, $first: Int!, $after: String) {
      product(id: $id) {
        id title
        variants(first: $first, after: $after) {
          edges { cursor node { id position sku } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }`,
  variants: `
    query Variants($first: Int!, $after: String, $query: String) {
      productVariants(first: $first, after: $after, query: $query, sortKey: ID) {
        nodes { id sku barcode title displayName price inventoryQuantity product { id title } inventoryItem { id tracked } }
        pageInfo { hasNextPage endCursor }
      }
      productVariantsCount { count precision }
    }`,
  nodes: `
    query Nodes($ids: [ID!]!) {
      nodes(ids: $ids) {
        __typename id
        ... on ProductVariant { sku product { id } inventoryItem { id } }
        ... on InventoryLevel { item { id } location { id } }
        ... on Location { name }
      }
    }`,
  item: `
    query Item($id: ID!, $location: ID!) {
      inventoryItem(id: $id) {
        id sku tracked
        variant { id }
        variants(first: 50) { nodes { id sku product { id } } pageInfo { hasNextPage endCursor } }
        inventoryLevel(locationId: $location) { id quantities(names: ["available"]) { name quantity updatedAt } }
        inventoryLevels(first: 10, includeInactive: true) {
          nodes { id isActive location { id } quantities(names: ["available", "on_hand", "committed", "incoming"]) { name quantity } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }`,
  locationLevels: `
    query LocationLevels($id: ID!, $first: Int!, $after: String) {
      location(id: $id) {
        id name
        inventoryLevels(first: $first, after: $after) {
          nodes { id item { id } quantities(names: ["available"]) { name quantity } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }`,
  setQuantities: `
    mutation Set($input: InventorySetQuantitiesInput!, $key: String!) {
      inventorySetQuantities(input: $input) @idempotent(key: $key) {
        inventoryAdjustmentGroup { id reason changes { name delta quantityAfterChange item { id } location { id } } }
        userErrors { code field message }
      }
    }`,
  adjustQuantities: `
    mutation Adjust($input: InventoryAdjustQuantitiesInput!, $key: String!) {
      inventoryAdjustQuantities(input: $input) @idempotent(key: $key) {
        inventoryAdjustmentGroup { id changes { name delta quantityAfterChange } }
        userErrors { code field message }
      }
    }`,
  activate: `
    mutation Activate($item: ID!, $location: ID!, $available: Int, $key: String!) {
      inventoryActivate(inventoryItemId: $item, locationId: $location, available: $available) @idempotent(key: $key) {
        inventoryLevel { id isActive quantities(names: ["available"]) { quantity } }
        userErrors { field message }
      }
    }`,
  order: `
    query Order($id: ID!) {
      order(id: $id) {
        id test cancelledAt cancelReason closed closedAt displayFulfillmentStatus discountCodes
        totalPriceSet { shopMoney { amount currencyCode } }
        totalDiscountsSet { shopMoney { amount currencyCode } }
        currentTotalPriceSet { shopMoney { amount currencyCode } }
        fulfillments(first: 10) {
          status totalQuantity location { id }
          fulfillmentLineItems(first: 10) { nodes { quantity lineItem { id } } }
        }
        refunds(first: 10) {
          note createdAt
          totalRefundedSet { shopMoney { amount currencyCode } }
          refundLineItems(first: 10) {
            nodes { quantity restockType restocked location { id } lineItem { id } subtotalSet { shopMoney { amount } } }
          }
        }
        lineItems(first: 10) {
          nodes {
            id quantity currentQuantity refundableQuantity unfulfilledQuantity nonFulfillableQuantity
            originalTotalSet { shopMoney { amount currencyCode } }
            discountedTotalSet { shopMoney { amount currencyCode } }
            withCodes: discountedTotalSet(withCodeDiscounts: true) { shopMoney { amount currencyCode } }
            discountedUnitPriceAfterAllDiscountsSet { shopMoney { amount currencyCode } }
            discountAllocations { allocatedAmountSet { shopMoney { amount currencyCode } } }
          }
        }
      }
    }`,
  orders: `
    query Orders($first: Int!, $after: String, $query: String, $sortKey: OrderSortKeys) {
      orders(first: $first, after: $after, query: $query, sortKey: $sortKey) {
        nodes {
          id createdAt updatedAt cancelledAt test
          lineItems(first: 10) {
            nodes { id quantity currentQuantity sku variant { id } product { id } }
            pageInfo { hasNextPage endCursor }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
    }`,
} as const
