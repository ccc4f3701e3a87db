// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";

/// @title Breaks one rule: it sells once

contract DiffersOnSecondCall is Payment {
    mapping(address receiver => uint256) public paidFor;

    error SoldOut();

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        if (paidFor[receiver] != 0) revert SoldOut();
        _pull(price);
        paidFor[receiver] += price;
    }
}
