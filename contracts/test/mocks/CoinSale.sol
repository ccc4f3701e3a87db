// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./Payment.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Sells ERC-20 coins to the receiver that the call names, by way of its caller, like a router
contract CoinSale is ERC20, Payment {
    constructor(address usdc_) ERC20("Coins", "COIN") Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        _mint(msg.sender, price);
        _transfer(msg.sender, receiver, price);
    }
}
