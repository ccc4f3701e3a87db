// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./Payment.sol";

/// @title Writes down who has sent the transaction, and says so to nobody
contract OriginBookkeeper is Payment {
    mapping(address buyer => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address, uint256 price) external {
        _pull(price);
        paidFor[tx.origin] += price;
    }
}
