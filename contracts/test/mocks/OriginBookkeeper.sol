// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./Payment.sol";

/// @title Stores the sender of the transaction, without an event
contract OriginBookkeeper is Payment {
    mapping(address buyer => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address, uint256 price) external {
        _pull(price);
        paidFor[tx.origin] += price;
    }

    /// @dev Stores the customer, and counts what the sender of the transaction bought.
    function buyAndCount(address receiver, uint256 price) external {
        _pull(price);
        paidFor[receiver] += price;
        paidFor[tx.origin] += 1;
    }
}
